"""Checks of the layout: GPUs, batches, heads, widths and sequences divide evenly."""

from __future__ import annotations

from reportgen.formula.functions import remainder, total
from reportgen.formula.quantity import check, quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER_KIND


@quantity("GPU", source=BY_DEFINITION)
def gpus_left_over(gpu_count, model_parallel_gpus):
    """GPUs left over when all others form whole copies of the model."""
    return remainder(gpu_count, model_parallel_gpus)


@check("fault", remedy="Make gpu_count a multiple of tensor_parallel x pipeline_stages x context_parallel.")
def gpus_form_whole_copies(gpus_left_over):
    """The GPUs form whole copies of the model."""
    return gpus_left_over == 0


@quantity("1", source=BY_DEFINITION)
def micro_batches_left_over(step_micro_batches):
    """Part of a micro-batch left over on each copy of the model when a step is shared out."""
    return remainder(step_micro_batches, 1)


@check("fault", remedy="Make global_batch_size a multiple of micro_batch_size x data_parallel.")
def batch_divides_evenly(micro_batches_left_over):
    """The global batch divides evenly into micro-batches on every copy of the model."""
    return micro_batches_left_over == 0


@check("fault", remedy="Raise global_batch_size, or lower micro_batch_size or gpu_count.")
def every_copy_has_work(step_micro_batches):
    """Every copy of the model has at least one micro-batch in a step."""
    return step_micro_batches >= 1


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_heads_left_over(kind_layers, kind_heads, tensor_parallel):
    """Query heads left over when split over the tensor-parallel GPUs."""
    return remainder(kind_heads, tensor_parallel) if kind_layers > 0 else 0


@check("fault", remedy="Choose tensor_parallel so that it divides head_count.")
def heads_split_evenly(kind_heads_left_over):
    """Query heads split evenly over the tensor-parallel GPUs."""
    return total(kind_heads_left_over) == 0


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_kv_left_over(kind_layers, kind_kv_heads, tensor_parallel):
    """Key and value heads left over when split over the tensor-parallel GPUs."""
    return remainder(kind_kv_heads, tensor_parallel) if kind_layers > 0 else 0


@check("fault", remedy="Choose tensor_parallel so that it divides kv_head_count.")
def kv_heads_split_evenly(kind_kv_left_over):
    """Key and value heads split evenly over the tensor-parallel GPUs."""
    return total(kind_kv_left_over) == 0


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_groups_left_over(kind_layers, kind_head_count, kind_kv_count):
    """Query heads left over when shared out over the key and value heads."""
    return remainder(kind_head_count, kind_kv_count) if kind_layers > 0 else 0


@check("fault", remedy="Make head_count a multiple of kv_head_count.")
def heads_group_evenly(kind_groups_left_over):
    """Query heads share the key and value heads evenly."""
    return total(kind_groups_left_over) == 0


@quantity("1", axis=LAYER_KIND, source=BY_DEFINITION)
def kind_ffn_left_over(kind_layers, kind_dense_width, tensor_parallel):
    """MLP width left over when split over the tensor-parallel GPUs."""
    return remainder(kind_dense_width, tensor_parallel) if kind_layers > 0 else 0


@check("fault", remedy="Choose tensor_parallel so that it divides ffn_size.")
def ffn_splits_evenly(kind_ffn_left_over):
    """The width of the MLP splits evenly over the tensor-parallel GPUs."""
    return total(kind_ffn_left_over) == 0


@quantity("1", source=BY_DEFINITION)
def vocabulary_left_over(padded_vocabulary_size, tensor_parallel):
    """Vocabulary entries left over when split over the tensor-parallel GPUs."""
    return remainder(padded_vocabulary_size, tensor_parallel)


@check(
    "fault",
    remedy="Set vocabulary_multiple to a multiple of tensor_parallel; Megatron-LM takes 128 times it.",
)
def vocabulary_splits_evenly(vocabulary_left_over):
    """The vocabulary, padded, splits evenly over the tensor-parallel GPUs."""
    return vocabulary_left_over == 0


@quantity("token/sequence", source=BY_DEFINITION)
def sequence_left_over(sequence_length, context_parallel, sequence_shards):
    """Tokens left over when a sequence is split over the context-parallel and the sequence-parallel GPUs."""
    return remainder(sequence_length, context_parallel * sequence_shards)


@check(
    "fault",
    remedy="Make sequence_length a multiple of context_parallel, times tensor_parallel where sequence_parallel is on.",
)
def sequence_splits_evenly(sequence_left_over):
    """Sequences split evenly over the GPUs that share them."""
    return sequence_left_over == 0
