"""The loss head: logits, their copies and gradient on the last stage, by how the loss is computed."""

from __future__ import annotations

from reportgen.formula.functions import lookup
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.axes import STAGE
from reportgen.model.references import DEEPSEEK_V3, HUANG_2019, MEGATRON_LM, PYTORCH_AUTOGRAD, TORCHTITAN


@quantity("byte/token", source=PYTORCH_AUTOGRAD.at("loss head"))
def logit_value_bytes(loss_head, framework, framework_name, framework_fused_logit_column, framework_logit_column):
    """Bytes per token and vocabulary entry that the loss holds at its fullest."""
    return (
        lookup(framework, framework_name, framework_fused_logit_column)
        if loss_head == "fused"
        else lookup(framework, framework_name, framework_logit_column)
    )


@quantity("GPU", source=MEGATRON_LM.at("vocabulary-parallel cross entropy"))
def loss_shards(loss_head, one_gpu, tensor_parallel):
    """GPUs that share the logits: one where each holds the whole vocabulary, else the tensor-parallel ones."""
    return one_gpu if loss_head == "plain" else tensor_parallel


@quantity("1", source=TORCHTITAN.at("components/loss.py, chunked cross entropy"))
def loss_turns(loss_head, loss_chunks):
    """Turns in which the loss is computed, each with its share of the tokens."""
    return loss_chunks if loss_head == "chunked" else 1


@quantity("byte/GPU", source=PYTORCH_AUTOGRAD.at("loss head"))
def loss_logit_bytes(gpu_tokens, padded_vocabulary_size, logit_value_bytes, loss_shards, loss_turns):
    """Logits, their copies and their gradient on one GPU of the last stage."""
    return gpu_tokens * padded_vocabulary_size * logit_value_bytes / (loss_shards * loss_turns)


@quantity("byte/GPU", source=PYTORCH_AUTOGRAD.at("loss head"))
def loss_head_bytes(loss_logit_bytes, gpu_tokens, norm_activation_bytes, sequence_shards):
    """Logits, their copies and gradient, and the final norm, on one GPU of the last stage."""
    return loss_logit_bytes + gpu_tokens * norm_activation_bytes / sequence_shards


@quantity("1", source=HUANG_2019.at("section 2.3, all micro-batches forward, then all backward"))
def waiting_losses(schedule, step_micro_batches):
    """Micro-batches whose loss waits for its backward pass while another one's is computed."""
    return step_micro_batches - 1 if schedule == "gpipe" else 0


@quantity("1", source=TORCHTITAN.at("components/loss.py, each chunk takes its gradient at once"))
def waiting_logit_share(loss_head):
    """0 where a waiting loss keeps no logits, as a chunked one, which has taken its gradient, else 1."""
    return 0 if loss_head == "chunked" else 1


@quantity(
    "byte/token", source=PYTORCH_AUTOGRAD.at("loss head, fp32 log-probabilities, or the 16-bit softmax of a fused one")
)
def waiting_logit_bytes(waiting_logit_share, loss_head, activation_value_bytes, classic_logit_bytes):
    """Bytes per token and vocabulary entry that a loss keeps while it waits for its backward pass."""
    return waiting_logit_share * (activation_value_bytes if loss_head == "fused" else classic_logit_bytes)


@quantity("byte/GPU", source=PYTORCH_AUTOGRAD.at("loss head, fp32 log-probabilities and the final norm"))
def waiting_loss_bytes(
    waiting_losses,
    gpu_tokens,
    padded_vocabulary_size,
    waiting_logit_bytes,
    loss_shards,
    norm_activation_bytes,
    sequence_shards,
):
    """What the losses that wait for their backward pass keep on one GPU of the last stage."""
    return (
        waiting_losses
        * gpu_tokens
        * (padded_vocabulary_size * waiting_logit_bytes / loss_shards + norm_activation_bytes / sequence_shards)
    )


@quantity("1", axis=STAGE, source=DEEPSEEK_V3.at("section 3.2.1, the first GPUs hold the last stage as well"))
def stage_has_head(stage_index, pipeline_stages, mirrored_share):
    """1 where the stage computes the loss, else 0: the last stage, and the first where micro-batches flow both ways."""
    return max(1 if stage_index == pipeline_stages - 1 else 0, mirrored_share if stage_index == 0 else 0)


@quantity("byte/GPU", axis=STAGE, source=BY_DEFINITION)
def stage_head_bytes(stage_has_head, loss_head_bytes, waiting_loss_bytes):
    """The loss head's activations on one GPU of the stage."""
    return stage_has_head * (loss_head_bytes + waiting_loss_bytes)


@quantity("byte/GPU", axis=STAGE, source=BY_DEFINITION)
def stage_logit_bytes(stage_has_head, loss_logit_bytes):
    """Logits, their copies and gradient on one GPU of the stage."""
    return stage_has_head * loss_logit_bytes
