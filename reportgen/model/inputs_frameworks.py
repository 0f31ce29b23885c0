"""Frameworks: what each holds beyond the textbook's state and activations, one named term a column."""

from __future__ import annotations

from reportgen.formula.quantity import Input, number, words
from reportgen.formula.sources import Assumption, Origin
from reportgen.model.axes import FRAMEWORK
from reportgen.model.references import DEEPSPEED, MEGATRON_LM, NANOTRON, PYTORCH, PYTORCH_AUTOGRAD, PYTORCH_FSDP

FRAMEWORK_NAMES = ("textbook", "megatron-lm", "nanotron", "torchtitan", "deepspeed", "transformers")
MIB = 2**20
# One workspace of cuBLAS for the forward thread and one for autograd's, on Hopper and later; Transformer Engine's own.
CUBLAS = 2 * 32 * MIB
TRANSFORMER_ENGINE = 32 * MIB


def held(name: str, unit: str, description: str, origin: Origin, values: tuple[float, ...], most: float) -> Input:
    """A column of the table: what each framework holds, per whatever the unit says."""
    return number(
        name, unit, description, origin, section="catalogue", default=values, between=(0, most), axis=FRAMEWORK
    )


FRAMEWORK_INPUTS = (
    words(
        "framework_name",
        "Name of the framework.",
        MEGATRON_LM.at("and others, each named in its row"),
        section="catalogue",
        default=FRAMEWORK_NAMES,
        axis=FRAMEWORK,
    ),
    held(
        "framework_logit_column",
        "byte/token",
        "Bytes per token and vocabulary entry at the loss: bf16 2, and fp32 copies of 4 each.",
        PYTORCH_AUTOGRAD.at("loss head; Megatron-LM works in place, eager ones keep log-probabilities"),
        (10, 6, 10, 14, 10, 14),
        64,
    ),
    held(
        "framework_fused_logit_column",
        "byte/token",
        "Bytes per token and vocabulary entry with a fused loss: bf16 logits 2 and their gradient 2, or one copy more.",
        MEGATRON_LM.at("fusions/fused_cross_entropy.py"),
        (4, 10, 4, 4, 4, 4),
        64,
    ),
    held(
        "framework_gradient_column",
        "byte/parameter",
        "Bytes of a gradient as the framework accumulates it, to compare gradient_bytes_per_parameter with.",
        MEGATRON_LM.at("fp32 main gradients, and nanotron's; torchtitan keeps fp32 weights and gradients"),
        (0, 4, 4, 4, 0, 0),
        8,
    ),
    held(
        "framework_gradient_copy_column",
        "byte/parameter",
        "Bytes of the gradient that the backward pass writes, where it lives beside the accumulated one.",
        NANOTRON.at("optim/gradient_accumulator.py"),
        (0, 0, 2, 0, 0, 0),
        8,
    ),
    held(
        "framework_bucket_column",
        "byte/parameter",
        "Bytes of the buckets that reduce gradients over data-parallel GPUs, without ZeRO.",
        NANOTRON.at("trainer.py, DistributedDataParallel"),
        (0, 0, 2, 0, 0, 0),
        8,
    ),
    held(
        "framework_flat_gather_column",
        "byte/parameter",
        "Bytes of the flat buffer from which ZeRO stage 1 hands out updated weights.",
        NANOTRON.at("distributed.py, all_gather_coalesced"),
        (0, 0, 2, 0, 0, 0),
        8,
    ),
    held(
        "framework_gather_copies_column",
        "1",
        "Copies of a gathered weight that are alive at once: gathered flat, and copied out to its own shape.",
        PYTORCH_FSDP.at("foreach_all_gather and foreach_all_gather_copy_out"),
        (1, 1, 1, 2, 1, 2),
        8,
    ),
    held(
        "framework_output_column",
        "byte/token",
        "Bytes per token and hidden value of a stage's output, kept until its backward pass; Megatron-LM keeps none.",
        NANOTRON.at("parallel/pipeline_parallel/state.py; Megatron-LM, deallocate_pipeline_outputs"),
        (0, 0, 2, 2, 2, 0),
        64,
    ),
    held(
        "framework_gather_buffer_column",
        "byte/token",
        "Bytes per token and hidden value of buffers in which tensor parallelism gathers and scatters sequences.",
        NANOTRON.at("tensor_parallel/functional.py, memory buffers of column and row linears"),
        (0, 0, 4, 0, 0, 0),
        64,
    ),
    held(
        "framework_regather_column",
        "byte/token",
        "Bytes per token and hidden value of one buffer more, where inputs are gathered again in the backward pass.",
        NANOTRON.at("tensor_parallel/functional.py, the second memory buffer"),
        (0, 0, 2, 0, 0, 0),
        64,
    ),
    held(
        "framework_queue_column",
        "1",
        "Kernels by which the host runs ahead of the GPU while collectives hold on to tensors that it has freed.",
        Assumption("CUDA lets about a thousand launches wait (measured by its users); collectives record their stream"),
        (0, 0, 1024, 0, 0, 0),
        2**20,
    ),
    number(
        "framework_launch_column",
        "1",
        "Kernels launched for each whole-sequence buffer that a collective reads and the host frees.",
        Assumption("chosen with the measured runs in view: some 50 such buffers pend in them, at 1024 launches"),
        section="catalogue",
        default=20,
        between=(1, 2**20),
        axis=FRAMEWORK,
    ),
    held(
        "framework_backward_column",
        "byte/token",
        "Bytes per token and MLP value that one layer's backward pass holds: gradients of product, halves, and both.",
        NANOTRON.at("nn/activations.py, eager gated unit"),
        (0, 0, 8, 0, 0, 0),
        64,
    ),
    held(
        "framework_unrotated_column",
        "byte/token",
        "Bytes per value of keys and values as projected, which live on in the storage of queries rotated in place.",
        NANOTRON.at("models/llama.py, attention without grouped heads: one contiguous tensor of all three"),
        (0, 0, 2, 0, 0, 0),
        64,
    ),
    held(
        "framework_sharding_column",
        "1",
        "The highest ZeRO stage without a pipeline; fully sharded data parallelism is stage 3.",
        NANOTRON.at("config, zero_stage 0 or 1; all others shard fully, Megatron-LM by its own FSDP"),
        (3, 3, 1, 3, 3, 3),
        3,
    ),
    held(
        "framework_pipeline_sharding_column",
        "1",
        "The highest ZeRO stage together with a pipeline.",
        DEEPSPEED.at("runtime/pipe/engine.py, ZeRO-2 and ZeRO-3 are incompatible with pipeline parallelism"),
        (3, 1, 1, 3, 1, 3),
        3,
    ),
    held(
        "framework_reduce_column",
        "byte/parameter",
        "Bytes of a layer's whole gradient, bf16 2, and of the fp32 input of its reduction 4, where it is sharded.",
        PYTORCH_FSDP.at("FSDPParamGroup, post-backward reduce-scatter; mixed precision policy, reduce_dtype fp32"),
        (0, 0, 0, 6, 0, 0),
        64,
    ),
    held(
        "framework_reduce_bucket_column",
        "byte/GPU",
        "Buckets of sharded gradients: two of DeepSpeed's 500,000,000 values in 16 bits, filled in turns.",
        DEEPSPEED.at("configuration, reduce_bucket_size and overlap_comm"),
        (0, 0, 0, 0, 2e9, 0),
        2**40,
    ),
    held(
        "framework_workspace_column",
        "byte/GPU",
        "Workspaces of the matrix libraries: cuBLAS 32 MiB for each of two threads, Transformer Engine 32 MiB.",
        PYTORCH.at("ATen/cuda/CublasHandlePool.cpp"),
        (0, CUBLAS + TRANSFORMER_ENGINE, CUBLAS, CUBLAS, CUBLAS, CUBLAS),
        2**40,
    ),
)
