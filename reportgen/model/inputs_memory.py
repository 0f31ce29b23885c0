"""Inputs about what memory holds beside state: recomputation, kernels, gathered weights, the loss head, offload."""

from __future__ import annotations

from reportgen.formula.quantity import choice, number
from reportgen.formula.sources import Assumption, Definition
from reportgen.model.references import (
    DAO_2022,
    MEGATRON_LM,
    NANOTRON,
    PYTORCH_FSDP,
    RAJBHANDARI_2020,
    REN_2021,
    TORCHTITAN,
)

RUN = Definition("from the planned run")
YES_NO = ("yes", "no")

RECOMPUTE_INPUTS = (
    choice(
        "recompute",
        ("none", "selective", "operators", "full"),
        "What the backward pass computes again: nothing, the attention core, all but saved operators, or whole layers.",
        RUN,
        section="run",
        default="none",
    ),
    number(
        "recompute_interval",
        "1",
        "Under full recomputation one layer of this many is computed again; 1 means every layer.",
        TORCHTITAN.at("activation checkpointing, every n-th layer"),
        section="run",
        default=1,
        between=(1, 256),
        whole=True,
    ),
    number(
        "recompute_group_layers",
        "1",
        "Under full recomputation layers that share one kept input and come back together.",
        MEGATRON_LM.at("uniform recomputation, layers in a unit"),
        section="run",
        default=1,
        between=(1, 256),
        whole=True,
    ),
    choice(
        "recompute_norms",
        YES_NO,
        "Whether norm outputs are dropped and computed again.",
        MEGATRON_LM.at("recompute modules, layernorm"),
        section="run",
        default="no",
    ),
    choice(
        "recompute_mlp_activation",
        YES_NO,
        "Whether the output of the MLP's activation function is dropped and computed again.",
        MEGATRON_LM.at("recompute modules, mlp activation"),
        section="run",
        default="no",
    ),
    choice(
        "recompute_latent",
        YES_NO,
        "Whether the up-projections of latent attention are dropped and computed again.",
        MEGATRON_LM.at("recompute modules, mla_up_proj"),
        section="run",
        default="no",
    ),
    choice(
        "recompute_experts",
        ("none", "activation", "whole"),
        "What routed experts drop and compute again: nothing, the activation function's output, or all.",
        MEGATRON_LM.at("recompute modules, moe_act and moe"),
        section="run",
        default="none",
    ),
)

KERNEL_INPUTS = (
    choice(
        "kernel_profile",
        (),
        "What the kernels keep for the backward pass, as a row of the table of kernel profiles.",
        Assumption("fused kernels, as Megatron-LM with Transformer Engine has them"),
        section="run",
        default="fused",
        choices_from="profile_name",
    ),
    choice(
        "framework",
        (),
        "What the framework holds beyond state and activations, as a row of the table of frameworks.",
        Assumption("the textbook's terms alone; a framework adds those that were found in its code"),
        section="run",
        default="textbook",
        choices_from="framework_name",
    ),
    choice(
        "flash_attention",
        ("on", "off"),
        "Whether attention scores are kept on chip and never stored.",
        DAO_2022.at("section 3"),
        section="run",
        default="on",
    ),
    number(
        "gathered_layers",
        "1",
        "Layers whose full weights are at hand at once under ZeRO stage 3: the working one and those fetched ahead.",
        Assumption("the layer at work and one fetched ahead"),
        section="run",
        default=2,
        between=(1, 256),
        whole=True,
    ),
    number(
        "gathered_bytes_per_parameter",
        "byte/parameter",
        "Bytes of a weight as ZeRO stage 3 gathers it, where that differs from how it is stored.",
        PYTORCH_FSDP.at("mixed precision policy, param_dtype"),
        section="run",
        between=(0.25, 8),
        word="as weights",
    ),
    choice(
        "gathered_inputs",
        ("gathered again", "kept"),
        "Whether inputs that sequence parallelism gathers for a matrix are gathered again backward, or kept.",
        NANOTRON.at("tensor parallelism, tp_recompute_allgather"),
        section="run",
        default="gathered again",
    ),
    choice(
        "loss_head",
        ("vocabulary-parallel", "plain", "chunked", "fused"),
        "How the loss is computed: logits split over the tensor-parallel GPUs, whole on each, in chunks, or fused.",
        MEGATRON_LM.at("vocabulary-parallel cross entropy"),
        section="run",
        default="vocabulary-parallel",
    ),
    number(
        "loss_chunks",
        "1",
        "Chunks of tokens that a chunked loss takes in turn.",
        TORCHTITAN.at("components/loss.py, chunked cross entropy"),
        section="run",
        default=8,
        between=(1, 2**16),
        whole=True,
    ),
)

OFFLOAD_INPUTS = (
    choice(
        "optimizer_offload",
        ("none", "host memory", "nvme"),
        "Where the optimizer's state lies: on the GPU, in host memory, or on the node's NVMe.",
        REN_2021.at("section 4"),
        section="run",
        default="none",
    ),
    number(
        "compute_copy_bytes_per_parameter",
        "byte/parameter",
        "Lower-precision copies of a layer's weights held beside them: bf16 under autocast 2, fp8 and its transpose 2.",
        RAJBHANDARI_2020.at("section 3.1, beside PyTorch autocast and Transformer Engine"),
        section="run",
        default=0,
        between=(0, 8),
    ),
)
