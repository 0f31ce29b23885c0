"""Activations: what a layer keeps for the backward pass, tensor by tensor, and how many micro-batches are in flight."""

from __future__ import annotations

from reportgen.formula.functions import largest, lookup, total_where
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER, LAYER_KIND, STAGE
from reportgen.model.references import DAO_2023, KORTHIKANTI_2022, NARAYANAN_2021, PYTORCH_AUTOGRAD

FUSED = PYTORCH_AUTOGRAD.at("fused Llama layer")
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


@quantity("byte/token", source=FUSED)
def norm_activation_bytes(hidden_size, activation_value_bytes, norm_statistics_kept, statistic_value_bytes):
    """What one norm keeps per token: its input, its output and its statistics."""
    return 2 * hidden_size * activation_value_bytes + norm_statistics_kept * statistic_value_bytes


@quantity("1", axis=LAYER_KIND, source=PYTORCH_AUTOGRAD.at("Qwen3 layer"))
def kind_qk_norm_statistics(qk_norm, kind_head_count, kind_kv_count):
    """Statistics that norms on queries and keys keep per token: one a head, or one each over all heads."""
    return kind_head_count + kind_kv_count if qk_norm == "per head" else 2


@quantity("byte/token", axis=LAYER_KIND, source=PYTORCH_AUTOGRAD.at("Qwen3 layer"))
def kind_qk_norm_bytes(
    qk_norm_count,
    kind_query_size,
    kind_kv_size,
    activation_value_bytes,
    kind_qk_norm_statistics,
    statistic_value_bytes,
):
    """What norms on queries and keys keep per token: their inputs and their statistics."""
    return qk_norm_count * (
        (kind_query_size + kind_kv_size) * activation_value_bytes + kind_qk_norm_statistics * statistic_value_bytes
    )


@quantity("byte/token", axis=LAYER_KIND, source=DAO_2023.at("section 3.1"))
def kind_statistic_bytes(flash_attention, kind_head_count, statistic_value_bytes):
    """The log-sum-exp per head that FlashAttention keeps per token."""
    return kind_head_count * statistic_value_bytes if flash_attention == "on" else 0


@quantity("byte/token", axis=LAYER_KIND, source=FUSED)
def kind_attention_bytes(
    kind_query_size, kind_kv_size, activation_value_bytes, kind_statistic_bytes, kind_qk_norm_bytes
):
    """What attention keeps per token: queries, keys, values, its output, its statistics and its norms."""
    return 2 * (kind_query_size + kind_kv_size) * activation_value_bytes + kind_statistic_bytes + kind_qk_norm_bytes


@quantity("byte/token", axis=LAYER_KIND, source=KORTHIKANTI_2022.at("section 4.1"))
def kind_score_bytes(flash_attention, attention_score_bytes, kind_head_count, sequence_length):
    """Attention scores kept per token; none with FlashAttention."""
    return 0 if flash_attention == "on" else attention_score_bytes * kind_head_count * sequence_length


@quantity("1", source=FUSED)
def mlp_tensors_kept(mlp_kind, gated_mlp_tensors_kept, plain_mlp_tensors_kept):
    """FFN-wide tensors that one MLP keeps."""
    return gated_mlp_tensors_kept if mlp_kind == "gated" else plain_mlp_tensors_kept


@quantity("byte/token", axis=LAYER_KIND, source=FUSED)
def kind_mlp_bytes(mlp_tensors_kept, kind_ffn_size, activation_value_bytes):
    """What the MLP keeps per token."""
    return mlp_tensors_kept * kind_ffn_size * activation_value_bytes


@quantity("byte/token", axis=LAYER_KIND, source=FUSED)
def kind_token_bytes(norms_per_layer, norm_activation_bytes, kind_attention_bytes, kind_score_bytes, kind_mlp_bytes):
    """What one whole layer keeps per token, before any split or recomputation."""
    return norms_per_layer * norm_activation_bytes + kind_attention_bytes + kind_score_bytes + kind_mlp_bytes


@quantity("byte/token", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_hidden_multiple(kind_token_bytes, hidden_size):
    """What one layer keeps per token and hidden value, to set beside the classic 34."""
    return kind_token_bytes / hidden_size


@quantity("byte/GPU", axis=LAYER_KIND, source=SEQUENCE_PARALLEL)
def kind_activation_bytes(
    gpu_tokens,
    norms_per_layer,
    norm_activation_bytes,
    sequence_shards,
    kind_attention_bytes,
    kind_score_bytes,
    kind_mlp_bytes,
    tensor_parallel,
):
    """What one layer keeps on one GPU for one micro-batch when nothing is recomputed."""
    return gpu_tokens * (
        norms_per_layer * norm_activation_bytes / sequence_shards
        + (kind_attention_bytes + kind_score_bytes + kind_mlp_bytes) / tensor_parallel
    )


@quantity("byte/GPU", axis=LAYER_KIND, source=KORTHIKANTI_2022.at("section 5"))
def kind_selective_saving(recompute, gpu_tokens, kind_score_bytes, tensor_parallel):
    """What selective recomputation drops: the attention scores, which FlashAttention never stored."""
    return gpu_tokens * kind_score_bytes / tensor_parallel if recompute == "selective" else 0


@quantity("byte/GPU", source=KORTHIKANTI_2022.at("section 5"))
def layer_input_bytes(gpu_tokens, hidden_size, activation_value_bytes, sequence_shards):
    """The input of one layer on one GPU, which full recomputation starts from."""
    return gpu_tokens * hidden_size * activation_value_bytes / sequence_shards


@quantity("byte/GPU", axis=LAYER_KIND, source=KORTHIKANTI_2022.at("section 5"))
def kind_kept_bytes(recompute, layer_input_bytes, kind_activation_bytes, kind_selective_saving):
    """What one layer keeps on one GPU for one micro-batch in flight."""
    return layer_input_bytes if recompute == "full" else kind_activation_bytes - kind_selective_saving


@quantity("byte/GPU", axis=LAYER_KIND, source=KORTHIKANTI_2022.at("section 5"))
def kind_working_bytes(recompute, kind_activation_bytes, kind_selective_saving):
    """What comes back while the layer is recomputed: all of it, or its attention scores."""
    return kind_activation_bytes if recompute == "full" else kind_selective_saving


@quantity("byte/GPU", axis=LAYER, source=BY_DEFINITION)
def layer_activation_bytes(layer_kind, kind_name, kind_kept_bytes):
    """What the layer keeps on one GPU for one micro-batch in flight."""
    return lookup(layer_kind, kind_name, kind_kept_bytes)


@quantity("byte/GPU", axis=LAYER, source=BY_DEFINITION)
def layer_working_bytes(layer_kind, kind_name, kind_working_bytes):
    """What comes back on one GPU while the layer is recomputed."""
    return lookup(layer_kind, kind_name, kind_working_bytes)


@quantity("byte/GPU", source=BY_DEFINITION)
def working_layer_bytes(layer_working_bytes):
    """The layer being recomputed, at its largest."""
    return largest(layer_working_bytes)


@quantity("1", source=BY_DEFINITION)
def step_micro_batches(global_batch_size, micro_batch_size, data_parallel, one_step):
    """Micro-batches that one pipeline carries in one optimizer step."""
    return global_batch_size * one_step / (micro_batch_size * data_parallel)


@quantity("1", axis=STAGE, source=NARAYANAN_2021.at("section 2.2"))
def stage_chunks_in_flight(pipeline_stages, stage_index, virtual_stages):
    """Chunks that an interleaved stage holds at its fullest, given enough micro-batches."""
    return 2 * (pipeline_stages - stage_index - 1) + (virtual_stages - 1) * pipeline_stages + 1


@quantity("1", axis=STAGE, source=NARAYANAN_2021.at("section 2.2"))
def stage_in_flight(virtual_stages, step_micro_batches, pipeline_stages, stage_index, stage_chunks_in_flight):
    """Micro-batches' worth of the stage's activations that it holds at its fullest."""
    return (
        min(step_micro_batches, pipeline_stages - stage_index)
        if virtual_stages == 1
        else min(step_micro_batches, stage_chunks_in_flight / virtual_stages)
    )


@quantity("byte/GPU", axis=STAGE, source=BY_DEFINITION)
def stage_micro_batch_bytes(layer_activation_bytes, layer_stage, stage_index):
    """What one GPU of the stage keeps for one micro-batch in flight."""
    return total_where(layer_activation_bytes, layer_stage, stage_index)


@quantity("byte/GPU", axis=STAGE, source=KORTHIKANTI_2022.at("section 4.2.3"))
def stage_activation_bytes(stage_micro_batch_bytes, stage_in_flight, working_layer_bytes):
    """Activations on one GPU of the stage at its fullest: those in flight, and the layer being recomputed."""
    return stage_micro_batch_bytes * stage_in_flight + working_layer_bytes


@quantity("byte/GPU", source=PYTORCH_AUTOGRAD.at("loss head"))
def loss_head_bytes(
    gpu_tokens,
    padded_vocabulary_size,
    logit_copy_bytes,
    tensor_parallel,
    norm_activation_bytes,
    sequence_shards,
):
    """Logits, their copy and gradient, and the final norm, on one GPU of the last stage."""
    return gpu_tokens * (
        padded_vocabulary_size * logit_copy_bytes / tensor_parallel + norm_activation_bytes / sequence_shards
    )


@quantity("byte/GPU", axis=STAGE, source=BY_DEFINITION)
def stage_head_bytes(stage_index, pipeline_stages, loss_head_bytes):
    """The loss head's activations, which only the last stage holds."""
    return loss_head_bytes if stage_index == pipeline_stages - 1 else 0
