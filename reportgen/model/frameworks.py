"""Frameworks: what one GPU of a stage holds beyond state and activations, each cause a term of its own."""

from __future__ import annotations

from reportgen.formula.functions import largest, lookup
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import LAYER, STAGE
from reportgen.model.references import DEEPSPEED, MEGATRON_LM, NANOTRON, PYTORCH, PYTORCH_FSDP

CHOSEN = BY_DEFINITION


@quantity("1", source=PYTORCH_FSDP.at("foreach_all_gather_copy_out"))
def framework_gather_copies(framework, framework_name, framework_gather_copies_column):
    """Copies of a gathered weight that are alive at once."""
    return lookup(framework, framework_name, framework_gather_copies_column)


@quantity("byte/parameter", source=CHOSEN)
def framework_gradient_bytes(framework, framework_name, framework_gradient_column):
    """Bytes of a gradient as the framework accumulates it; 0 where it takes what it is given."""
    return lookup(framework, framework_name, framework_gradient_column)


@quantity("byte/parameter", source=CHOSEN)
def gradient_copy_bytes_per_parameter(framework, framework_name, framework_gradient_copy_column):
    """Bytes per parameter of gradients as the backward pass writes them, beside the accumulated ones."""
    return lookup(framework, framework_name, framework_gradient_copy_column)


@quantity("byte/GPU", axis=STAGE, source=NANOTRON.at("optim/gradient_accumulator.py, with blocks the loss has freed"))
def stage_gradient_copy_bytes(gradient_copy_bytes_per_parameter, stage_updated_parameters, stage_logit_bytes):
    """Gradients as the backward pass writes them: what of them does not fit into blocks that the loss has freed."""
    return max(gradient_copy_bytes_per_parameter * stage_updated_parameters - stage_logit_bytes, 0)


@quantity("1", source=CHOSEN)
def plain_replica_share(zero_stage, replica_shards):
    """1 where several GPUs hold the same state, all of it, else 0."""
    return 1 if zero_stage == 0 and replica_shards > 1 else 0


@quantity("1", source=CHOSEN)
def sharded_optimizer_share(zero_stage, zero_shards):
    """1 where several GPUs share the optimizer's state alone, else 0."""
    return 1 if zero_stage == 1 and zero_shards > 1 else 0


@quantity("byte/parameter", source=CHOSEN)
def bucket_bytes_per_parameter(plain_replica_share, framework, framework_name, framework_bucket_column):
    """Bytes per parameter of the buckets that reduce gradients; none where state is sharded or held once."""
    return plain_replica_share * lookup(framework, framework_name, framework_bucket_column)


@quantity("byte/GPU", axis=STAGE, source=NANOTRON.at("trainer.py, DistributedDataParallel"))
def stage_bucket_bytes(bucket_bytes_per_parameter, stage_updated_parameters):
    """Buckets that reduce gradients over data-parallel GPUs."""
    return bucket_bytes_per_parameter * stage_updated_parameters


@quantity("byte/parameter", source=CHOSEN)
def flat_gather_bytes_per_parameter(sharded_optimizer_share, framework, framework_name, framework_flat_gather_column):
    """Bytes per parameter of the flat buffer that gathers updated weights, under ZeRO stage 1."""
    return sharded_optimizer_share * lookup(framework, framework_name, framework_flat_gather_column)


@quantity("byte/GPU", axis=STAGE, source=NANOTRON.at("distributed.py, all_gather_coalesced"))
def stage_flat_gather_bytes(flat_gather_bytes_per_parameter, stage_updated_parameters):
    """The flat buffer that gathers updated weights."""
    return flat_gather_bytes_per_parameter * stage_updated_parameters


@quantity("1", source=MEGATRON_LM.at("sequence parallelism"))
def tensor_parallel_share(tensor_parallel, one_gpu):
    """1 where tensor parallelism gathers and scatters sequences, else 0."""
    return 1 if tensor_parallel > one_gpu else 0


@quantity("byte/token", source=NANOTRON.at("tensor_parallel/functional.py, memory buffers"))
def regathered_value_bytes(gathered_inputs, framework, framework_name, framework_regather_column):
    """Bytes per token and hidden value of the buffer that inputs are gathered into again; none where they are kept."""
    return lookup(framework, framework_name, framework_regather_column) if gathered_inputs == "gathered again" else 0


@quantity("byte/token", source=NANOTRON.at("tensor_parallel/functional.py, memory buffers"))
def sequence_value_bytes(framework, framework_name, framework_gather_buffer_column, regathered_value_bytes):
    """Bytes per token and hidden value of all buffers in which sequences are gathered and scattered."""
    return lookup(framework, framework_name, framework_gather_buffer_column) + regathered_value_bytes


@quantity("byte/GPU", source=NANOTRON.at("tensor_parallel/functional.py, memory buffers"))
def sequence_buffer_bytes(tensor_parallel_share, sequence_value_bytes, hidden_size, gpu_tokens, one_gpu):
    """Buffers in which tensor parallelism gathers and scatters sequences."""
    return tensor_parallel_share * sequence_value_bytes * hidden_size * gpu_tokens / one_gpu


@quantity("1", source=CHOSEN)
def queued_launches(framework, framework_name, framework_queue_column):
    """Kernels by which the host runs ahead of the GPU."""
    return lookup(framework, framework_name, framework_queue_column)


@quantity("1", source=PYTORCH.at("ProcessGroupNCCL, recordStream"))
def queued_buffers(queued_launches, framework, framework_name, framework_launch_column):
    """Sequence buffers that the host has freed by the time the GPU gets to the first of them."""
    return queued_launches / lookup(framework, framework_name, framework_launch_column)


@quantity("1", source=PYTORCH.at("ProcessGroupNCCL, recordStream; the end of a step waits for the GPU"))
def pending_buffers(queued_buffers, layer_count, pipeline_stages, step_micro_batches):
    """Sequence buffers that are freed and not back: two a layer where one forward pass is all that a step has."""
    return min(queued_buffers, 2 * layer_count) if pipeline_stages == 1 and step_micro_batches == 1 else queued_buffers


@quantity("1", axis=STAGE, source=BY_DEFINITION)
def stage_pass_buffers(stage_layers, stage_index):
    """Sequence buffers of one forward pass: two a layer, before reduce-scatters, and one of the embedding."""
    return 2 * stage_layers + (1 if stage_index == 0 else 0)


@quantity("1", axis=STAGE, source=NANOTRON.at("pipeline_parallel/engine.py, the first step's warm-up"))
def stage_warm_up_buffers(stage_in_flight, stage_pass_buffers):
    """Sequence buffers of a warm-up's passes behind the second: what they launch waits for the next stage's first."""
    return max(stage_in_flight - 2, 0) * stage_pass_buffers


@quantity("1", axis=STAGE, source=PYTORCH.at("ProcessGroupNCCL, recordStream"))
def stage_pending_buffers(host_pace, pending_buffers, queued_buffers, stage_warm_up_buffers):
    """Sequence buffers that are freed and not back: all that queue up, or those of a warm-up where the host is slow."""
    return pending_buffers if host_pace == "ahead" else min(queued_buffers, stage_warm_up_buffers)


@quantity("byte/GPU", axis=STAGE, source=PYTORCH.at("ProcessGroupNCCL, recordStream"))
def stage_pending_bytes(
    tensor_parallel_share, stage_pending_buffers, hidden_size, activation_value_bytes, gpu_tokens, one_gpu
):
    """Sequence buffers that tensor parallelism's collectives hold on to after the host has freed them."""
    return tensor_parallel_share * stage_pending_buffers * hidden_size * activation_value_bytes * gpu_tokens / one_gpu


@quantity("1", source=BY_DEFINITION)
def widest_mlp_size(kind_dense_width):
    """Width of the widest MLP of all kinds."""
    return largest(kind_dense_width)


@quantity("byte/GPU", source=NANOTRON.at("nn/activations.py, eager gated unit"))
def backward_working_bytes(
    framework, framework_name, framework_backward_column, widest_mlp_size, gpu_tokens, tensor_parallel
):
    """Gradients that one layer's backward pass holds at once."""
    return lookup(framework, framework_name, framework_backward_column) * widest_mlp_size * gpu_tokens / tensor_parallel


@quantity("byte/GPU", source=CHOSEN)
def workspace_bytes(framework, framework_name, framework_workspace_column):
    """Workspaces of the matrix libraries."""
    return lookup(framework, framework_name, framework_workspace_column)


@quantity("byte/GPU", source=NANOTRON.at("parallel/pipeline_parallel/state.py"))
def kept_output_bytes(framework, framework_name, framework_output_column, hidden_size, gpu_tokens, sequence_shards):
    """The output of a stage for one micro-batch, where it is kept until its backward pass."""
    return lookup(framework, framework_name, framework_output_column) * hidden_size * gpu_tokens / sequence_shards


@quantity("byte/GPU", axis=STAGE, source=NANOTRON.at("parallel/pipeline_parallel/state.py"))
def stage_output_bytes(stage_index, pipeline_stages, kept_output_bytes, stage_in_flight):
    """Outputs that the stage has sent on and keeps for the micro-batches in flight; the last one sends none."""
    return kept_output_bytes * stage_in_flight if stage_index < pipeline_stages - 1 else 0


@quantity("byte/parameter", source=PYTORCH_FSDP.at("FSDPParamGroup, post-backward reduce-scatter"))
def reduced_gradient_bytes(framework, framework_name, framework_reduce_column, trained_share, zero_stage):
    """Bytes per parameter of a layer's whole gradient and of what its reduction reads, where gradients are sharded."""
    return trained_share * lookup(framework, framework_name, framework_reduce_column) if zero_stage >= 2 else 0


@quantity("byte/GPU", axis=LAYER, source=PYTORCH_FSDP.at("FSDPParamGroup, post-backward reduce-scatter"))
def layer_reduction_bytes(layer_gpu_parameters, reduced_gradient_bytes, layer_activation_bytes, layer_working_bytes):
    """The layer's whole gradient as it is reduced, beyond the activations that its backward pass has freed by then."""
    return max(layer_gpu_parameters * reduced_gradient_bytes - layer_activation_bytes - layer_working_bytes, 0)


@quantity("byte/GPU", source=DEEPSPEED.at("runtime/zero/stage_1_and_2.py and stage3.py, reduce_bucket_size"))
def reduction_bucket_bytes(framework, framework_name, framework_reduce_bucket_column, trained_share, zero_stage):
    """Buckets of fixed size in which gradients are reduced, where they are sharded."""
    return trained_share * lookup(framework, framework_name, framework_reduce_bucket_column) if zero_stage >= 2 else 0


@quantity("byte/GPU", source=BY_DEFINITION)
def reduction_bytes(layer_reduction_bytes, reduction_bucket_bytes):
    """What reducing sharded gradients holds: the largest layer's, or buckets."""
    return largest(layer_reduction_bytes) + reduction_bucket_bytes


@quantity("byte/GPU", axis=STAGE, source=BY_DEFINITION)
def stage_communication_bytes(
    stage_gradient_copy_bytes,
    stage_bucket_bytes,
    stage_flat_gather_bytes,
    sequence_buffer_bytes,
    stage_pending_bytes,
    stage_output_bytes,
    reduction_bytes,
):
    """What one GPU of the stage holds to move gradients, weights, sequences and outputs between GPUs."""
    return (
        stage_gradient_copy_bytes
        + stage_bucket_bytes
        + stage_flat_gather_bytes
        + sequence_buffer_bytes
        + stage_pending_bytes
        + stage_output_bytes
        + reduction_bytes
    )


@quantity("byte/GPU", axis=STAGE, source=BY_DEFINITION)
def stage_copy_bytes(
    compute_copy_bytes_per_parameter,
    stage_layer_parameters,
    weight_shards,
    stage_expert_parameters,
    expert_weight_shards,
):
    """Lower-precision copies of the layers' weights on one GPU of the stage."""
    return compute_copy_bytes_per_parameter * (
        stage_layer_parameters / weight_shards + stage_expert_parameters / expert_weight_shards
    )
