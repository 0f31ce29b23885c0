"""Activations: what one layer of each kind keeps for the backward pass, by what splits it over GPUs."""

from __future__ import annotations

from reportgen.formula.functions import lookup
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER_KIND
from reportgen.model.references import DEEPSEEK_V2, KORTHIKANTI_2022, MEGATRON_LM, NANOTRON, PYTORCH_AUTOGRAD

KEPT = PYTORCH_AUTOGRAD.at("each profile's layer")
LATENT = DEEPSEEK_V2.at("section 2.1, each tensor of the layer measured with PyTorch")
ROUTED = PYTORCH_AUTOGRAD.at("Mixtral layer")
GATHERED = NANOTRON.at("tensor_parallel/functional.py, inputs of column-parallel linears")
SEQUENCE_PARALLEL = KORTHIKANTI_2022.at("section 4.2")


@quantity("token", source=BY_DEFINITION)
def micro_batch_tokens(micro_batch_size, sequence_length):
    """Tokens of one micro-batch."""
    return micro_batch_size * sequence_length


@quantity("token", source=BY_DEFINITION)
def gpu_tokens(micro_batch_tokens, context_parallel):
    """Tokens of one micro-batch that one GPU works on."""
    return micro_batch_tokens / context_parallel


@quantity("GPU", source=SEQUENCE_PARALLEL)
def sequence_shards(sequence_parallel, tensor_parallel, one_gpu):
    """GPUs that share the tensors between the matrix products."""
    return tensor_parallel if sequence_parallel == "on" else one_gpu


@quantity("1", source=PYTORCH_AUTOGRAD.at("GPT layer"))
def norm_statistics_kept(norm_bias):
    """Statistics that one norm keeps per token: its reciprocal deviation, and a LayerNorm its mean too."""
    return 2 if norm_bias == "yes" else 1


@quantity("byte/token", source=KEPT)
def norm_activation_bytes(hidden_size, norm_value_bytes, norm_statistics_kept, statistic_value_bytes):
    """What one norm keeps per token: its input, its output and its statistics."""
    return hidden_size * norm_value_bytes + norm_statistics_kept * statistic_value_bytes


@quantity("1", axis=LAYER_KIND, source=PYTORCH_AUTOGRAD.at("a norm in front of an addition"))
def kind_norm_outputs(kind_norm_count):
    """Norms of one layer whose outputs are kept: those in front of attention and of the MLP, not of an addition."""
    return min(kind_norm_count, 2)


@quantity("byte/token", axis=LAYER_KIND, source=KEPT)
def kind_norm_bytes(
    kind_norm_count,
    norm_activation_bytes,
    kind_norm_outputs,
    activation_value_bytes,
    dropout_value_bytes,
    hidden_size,
):
    """What one layer keeps per token between its matrix products: norms and dropout masks."""
    return kind_norm_count * norm_activation_bytes + hidden_size * (
        dropout_value_bytes - (kind_norm_count - kind_norm_outputs) * activation_value_bytes
    )


@quantity("1", axis=LAYER_KIND, source=PYTORCH_AUTOGRAD.at("Qwen3 layer"))
def kind_qk_norm_statistics(qk_norm, kind_heads, kind_kv_heads):
    """Statistics that norms on queries and keys keep per token: one a head, or one each over all heads."""
    return kind_heads + kind_kv_heads if qk_norm == "per head" else 2


@quantity("byte/token", axis=LAYER_KIND, source=PYTORCH_AUTOGRAD.at("Qwen3 layer"))
def kind_qk_norm_bytes(
    kind_qk_norm_share,
    kind_query_size,
    kind_key_size,
    qk_norm_value_bytes,
    kind_qk_norm_statistics,
    statistic_value_bytes,
):
    """What norms on queries and keys keep per token: their inputs and their statistics."""
    return kind_qk_norm_share * (
        (kind_query_size + kind_key_size) * qk_norm_value_bytes + kind_qk_norm_statistics * statistic_value_bytes
    )


@quantity("byte/token", axis=LAYER_KIND, source=KEPT)
def kind_core_bytes(
    kind_query_size,
    query_value_bytes,
    kind_key_size,
    kind_value_size,
    key_value_bytes,
    kind_output_size,
    output_value_bytes,
):
    """What attention's core keeps per token: queries, keys, values and its output."""
    return (
        kind_query_size * query_value_bytes
        + (kind_key_size + kind_value_size) * key_value_bytes
        + kind_output_size * output_value_bytes
    )


@quantity("byte/token", axis=LAYER_KIND, source=LATENT)
def kind_up_bytes(flash_attention, kind_unrotated_size, activation_value_bytes):
    """What latent attention keeps per token of its keys as projected up, which live on beside values not copied out."""
    return kind_unrotated_size * activation_value_bytes if flash_attention == "on" else 0


@quantity("1", source=LATENT)
def latent_norms(query_latent_size):
    """Norms on the latents of latent attention: on keys and values, and on queries where they have one."""
    return 2 if query_latent_size > 0 else 1


@quantity("byte/token", source=LATENT)
def latent_norm_bytes(query_latent_size, key_value_latent_size, norm_value_bytes, latent_norms, statistic_value_bytes):
    """What the norms on latents keep per token: inputs, outputs and statistics."""
    return (query_latent_size + key_value_latent_size) * norm_value_bytes + latent_norms * statistic_value_bytes


@quantity("byte/token", axis=LAYER_KIND, source=LATENT)
def kind_latent_bytes(kind_latent_share, latent_norm_bytes, rotary_head_size, activation_value_bytes):
    """What latent attention keeps per token of its latents and of the shared rotary key."""
    return kind_latent_share * (latent_norm_bytes + rotary_head_size * activation_value_bytes)


@quantity("byte/token", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_further_bytes(kind_further_width, activation_value_bytes):
    """What further matrices keep per token: one value of 16 bits for each output or input of theirs."""
    return kind_further_width * activation_value_bytes


@quantity("byte/token", axis=LAYER_KIND, source=PYTORCH_AUTOGRAD.at("eager Llama 3 layers"))
def kind_repeated_bytes(kind_query_size, kind_key_size, kind_output_size, kind_value_size, repeated_value_bytes):
    """What attention keeps more per token where it repeats keys and values once for each query head."""
    return (kind_query_size - kind_key_size + kind_output_size - kind_value_size) * repeated_value_bytes


@quantity("byte/token", source=BY_DEFINITION)
def unrotated_value_bytes(framework, framework_name, framework_unrotated_column):
    """Bytes per value of keys and values as projected, where queries share their storage."""
    return lookup(framework, framework_name, framework_unrotated_column)


@quantity("byte/token", axis=LAYER_KIND, source=NANOTRON.at("models/llama.py, CausalSelfAttention"))
def kind_unrotated_bytes(kind_heads, kind_kv_heads, kind_key_size, kind_value_size, unrotated_value_bytes):
    """What attention keeps per token of unrotated keys and values; grouped heads are copied apart, and none is kept."""
    return (kind_key_size + kind_value_size) * unrotated_value_bytes if kind_heads == kind_kv_heads else 0


@quantity("byte/token", axis=LAYER_KIND, source=KEPT)
def kind_attention_bytes(
    kind_core_bytes,
    kind_unrotated_bytes,
    kind_repeated_bytes,
    kind_up_bytes,
    kind_heads,
    head_statistic_bytes,
    kind_qk_norm_bytes,
    kind_further_bytes,
):
    """What attention keeps per token: its core, its statistics, its norms, and further matrices of the kind."""
    return (
        kind_core_bytes
        + kind_unrotated_bytes
        + kind_repeated_bytes
        + kind_up_bytes
        + kind_heads * head_statistic_bytes
        + kind_qk_norm_bytes
        + kind_further_bytes
    )


@quantity("byte/token", axis=LAYER_KIND, source=KORTHIKANTI_2022.at("section 4.1"))
def kind_score_bytes(score_value_bytes, kind_heads, sequence_length):
    """Attention scores kept per token; none with FlashAttention."""
    return score_value_bytes * kind_heads * sequence_length


@quantity("byte/token", axis=LAYER_KIND, source=KEPT)
def kind_mlp_bytes(mlp_value_bytes, kind_dense_width):
    """What the MLP that works on every token keeps per token."""
    return mlp_value_bytes * kind_dense_width


@quantity("byte/token", axis=LAYER_KIND, source=ROUTED)
def kind_router_bytes(kind_expert_share, router_value_bytes, expert_count):
    """What the router keeps per token."""
    return kind_expert_share * router_value_bytes * expert_count


@quantity("byte/token", axis=LAYER_KIND, source=ROUTED)
def kind_shared_gate_bytes(shared_expert_gate, kind_expert_share, hidden_size, activation_value_bytes):
    """What the shared experts' gate keeps per token: their output and its own value."""
    return kind_expert_share * (hidden_size + 1) * activation_value_bytes if shared_expert_gate == "yes" else 0


@quantity("byte/token", axis=LAYER_KIND, source=ROUTED)
def kind_routed_hidden_bytes(kind_expert_share, experts_per_token, hidden_size, routed_value_bytes):
    """What routed experts keep per token at the hidden width: inputs in the experts' order, and outputs."""
    return kind_expert_share * experts_per_token * hidden_size * routed_value_bytes


@quantity("byte/token", axis=LAYER_KIND, source=ROUTED)
def kind_routed_inner_bytes(kind_routed_width, mlp_value_bytes):
    """What routed experts keep per token at their inner width."""
    return kind_routed_width * mlp_value_bytes


@quantity("byte/token", axis=LAYER_KIND, source=KEPT)
def kind_token_bytes(
    kind_norm_bytes,
    kind_latent_bytes,
    kind_attention_bytes,
    kind_score_bytes,
    kind_mlp_bytes,
    kind_router_bytes,
    kind_shared_gate_bytes,
    kind_routed_hidden_bytes,
    kind_routed_inner_bytes,
):
    """What one whole layer keeps per token, before any split or recomputation."""
    return (
        kind_norm_bytes
        + kind_latent_bytes
        + kind_attention_bytes
        + kind_score_bytes
        + kind_mlp_bytes
        + kind_router_bytes
        + kind_shared_gate_bytes
        + kind_routed_hidden_bytes
        + kind_routed_inner_bytes
    )


@quantity("byte/token", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_hidden_multiple(kind_token_bytes, hidden_size):
    """What one layer keeps per token and hidden value, to set beside the classic 34."""
    return kind_token_bytes / hidden_size


@quantity("byte/token/GPU", axis=LAYER_KIND, source=SEQUENCE_PARALLEL)
def kind_sequence_bytes(kind_norm_bytes, kind_latent_bytes, kind_router_bytes, kind_shared_gate_bytes, sequence_shards):
    """What one layer keeps per token on one GPU of what sequence parallelism splits."""
    return (kind_norm_bytes + kind_latent_bytes + kind_router_bytes + kind_shared_gate_bytes) / sequence_shards


@quantity("byte/token/GPU", axis=LAYER_KIND, source=SEQUENCE_PARALLEL)
def kind_tensor_bytes(kind_attention_bytes, kind_score_bytes, kind_mlp_bytes, tensor_parallel):
    """What one layer keeps per token on one GPU of what tensor parallelism splits."""
    return (kind_attention_bytes + kind_score_bytes + kind_mlp_bytes) / tensor_parallel


@quantity("byte/token", axis=LAYER_KIND, source=MEGATRON_LM.at("token dispatcher, expert tensor parallelism"))
def kind_gathered_routed_bytes(
    kind_expert_share, experts_per_token, hidden_size, activation_value_bytes, expert_tensor_shards, one_gpu
):
    """What routed experts keep more per token where several GPUs share each: inputs gathered from the others."""
    return (
        kind_expert_share
        * experts_per_token
        * hidden_size
        * activation_value_bytes
        * (expert_tensor_shards / one_gpu - 1)
    )


@quantity("byte/token/GPU", axis=LAYER_KIND, source=MEGATRON_LM.at("token dispatcher, expert tensor parallelism"))
def kind_routed_bytes(
    expert_load_factor,
    kind_routed_hidden_bytes,
    kind_gathered_routed_bytes,
    kind_routed_inner_bytes,
    tensor_parallel,
):
    """What one layer's routed experts keep per token on one GPU."""
    return (
        expert_load_factor
        * (kind_routed_hidden_bytes + kind_gathered_routed_bytes + kind_routed_inner_bytes)
        / tensor_parallel
    )


@quantity("1", source=GATHERED)
def gathered_input_share(gathered_inputs, sequence_shards, one_gpu):
    """Share of a gathered input that other GPUs hold as well, where it is kept; 0 where it is gathered again."""
    return 1 - one_gpu / sequence_shards if gathered_inputs == "kept" else 0


@quantity("1", axis=LAYER_KIND, source=GATHERED)
def kind_gathered_inputs(kind_attention, kind_mlp):
    """Inputs that sequence parallelism gathers in one layer: in front of the mixer and in front of the MLP."""
    return (0 if kind_attention == "none" else 1) + (0 if kind_mlp == "none" else 1)


@quantity("byte/token/GPU", axis=LAYER_KIND, source=GATHERED)
def kind_gathered_input_bytes(kind_gathered_inputs, gathered_input_share, hidden_size, activation_value_bytes, one_gpu):
    """What one layer keeps per token of gathered inputs, beyond the GPU's own share of them."""
    return kind_gathered_inputs * gathered_input_share * hidden_size * activation_value_bytes / one_gpu


@quantity("byte/GPU", axis=LAYER_KIND, source=SEQUENCE_PARALLEL)
def kind_activation_bytes(
    gpu_tokens, kind_sequence_bytes, kind_tensor_bytes, kind_routed_bytes, kind_gathered_input_bytes
):
    """What one layer keeps on one GPU for one micro-batch when nothing is recomputed."""
    return gpu_tokens * (kind_sequence_bytes + kind_tensor_bytes + kind_routed_bytes + kind_gathered_input_bytes)
