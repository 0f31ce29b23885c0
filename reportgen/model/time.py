"""Time: from a stated utilisation to days and GPU-hours, and from a deadline back to GPUs."""

from __future__ import annotations

from reportgen.formula.functions import ceil, lookup
from reportgen.formula.quantity import quantity
from reportgen.formula.sources import BY_DEFINITION
from reportgen.model.references import CHOWDHERY_2022, DEEPSEEK_V3, KAPLAN_2020, NARAYANAN_2021

UTILISATION = CHOWDHERY_2022.at("section 4.1")


@quantity("FLOP/second/GPU", source=BY_DEFINITION)
def listed_peak_flops(accelerator, accelerator_name, peak_flops_column):
    """Dense bf16 peak of the accelerator as the catalogue lists it."""
    return lookup(accelerator, accelerator_name, peak_flops_column)


@quantity("FLOP/second/GPU", source=BY_DEFINITION)
def peak_flops(peak_flops_override, listed_peak_flops):
    """Dense peak of one GPU."""
    return listed_peak_flops if peak_flops_override == "as catalogue" else peak_flops_override


@quantity("FLOP/second", source=UTILISATION)
def cluster_flops(gpu_count, peak_flops, flops_utilization):
    """Useful FLOPs per second of all GPUs."""
    return gpu_count * peak_flops * flops_utilization


@quantity("1", source=UTILISATION)
def hardware_utilization(flops_utilization, hardware_flops_per_token, model_flops_per_token):
    """Hardware FLOPs utilisation that the stated one implies, recomputation counted."""
    return flops_utilization * hardware_flops_per_token / model_flops_per_token


@quantity("token/second", source=BY_DEFINITION)
def tokens_per_second(cluster_flops, model_flops_per_token):
    """Tokens that all GPUs train on in a second."""
    return cluster_flops / model_flops_per_token


@quantity("token/second/GPU", source=BY_DEFINITION)
def tokens_per_second_per_gpu(tokens_per_second, gpu_count):
    """Tokens that one GPU trains on in a second."""
    return tokens_per_second / gpu_count


@quantity("token/step", source=BY_DEFINITION)
def tokens_per_step(global_batch_size, sequence_length):
    """Tokens of one optimizer step."""
    return global_batch_size * sequence_length


@quantity("second/step", source=BY_DEFINITION)
def step_seconds(tokens_per_step, tokens_per_second):
    """Seconds of one optimizer step."""
    return tokens_per_step / tokens_per_second


@quantity("step", source=BY_DEFINITION)
def step_count(training_tokens, tokens_per_step):
    """Optimizer steps of the run."""
    return training_tokens / tokens_per_step


@quantity("FLOP", source=KAPLAN_2020.at("section 2.1"))
def training_flops(training_tokens, model_flops_per_token):
    """Useful FLOPs of the whole run."""
    return training_tokens * model_flops_per_token


@quantity("second", source=KAPLAN_2020.at("section 2.1"))
def compute_seconds(training_flops, cluster_flops):
    """Seconds of uninterrupted training."""
    return training_flops / cluster_flops


@quantity("day", source=BY_DEFINITION)
def training_days(compute_seconds, goodput_fraction, seconds_per_day):
    """Days of wall time, with the share lost to failures and stalls."""
    return compute_seconds / goodput_fraction / seconds_per_day


@quantity("day", source=BY_DEFINITION)
def sensitivity_training_days(training_days, flops_utilization, sensitivity_utilization):
    """Days of wall time at the second utilisation."""
    return training_days * flops_utilization / sensitivity_utilization


@quantity("GPU*hour", source=BY_DEFINITION)
def gpu_hours(gpu_count, training_days, hours_per_day):
    """GPU-hours of the run."""
    return gpu_count * training_days * hours_per_day


@quantity("node", source=BY_DEFINITION)
def node_count(gpu_count, gpus_per_node):
    """Servers that the GPUs fill."""
    return ceil(gpu_count / gpus_per_node)


@quantity("1", source=DEEPSEEK_V3.at("table 2, with a backward pass twice as long as a forward one, half for weights"))
def filled_bubble_stages(pipeline_stages, mirrored_share, training_passes):
    """Stages' worth of idle time where weight gradients fill the bubble: a third, and one stage less both ways."""
    return max(pipeline_stages - 1 - mirrored_share, 0) / training_passes


@quantity("1", source=NARAYANAN_2021.at("section 2.2"))
def bubble_stages(schedule, pipeline_stages, filled_bubble_stages):
    """Stages' worth of idle time at the ends of a step, in micro-batches of one stage."""
    return pipeline_stages - 1 if schedule == "1f1b" or schedule == "gpipe" else filled_bubble_stages


@quantity("1", source=NARAYANAN_2021.at("section 2.2"))
def pipeline_bubble_fraction(bubble_stages, virtual_stages, step_micro_batches):
    """Time that a pipeline idles, relative to its ideal time; part of what the utilisation has lost."""
    return bubble_stages / (virtual_stages * step_micro_batches)


@quantity("GPU", source=BY_DEFINITION)
def deadline_gpus_exact(training_flops, peak_flops, flops_utilization, goodput_fraction, deadline_seconds):
    """GPUs that the deadline needs, before rounding to whole copies of the model."""
    return training_flops / (peak_flops * flops_utilization * goodput_fraction * deadline_seconds)


@quantity("second", source=BY_DEFINITION)
def deadline_seconds(deadline_days, seconds_per_day):
    """The deadline in seconds."""
    return deadline_days * seconds_per_day


@quantity("GPU", source=BY_DEFINITION)
def deadline_gpus(deadline_gpus_exact, model_parallel_gpus):
    """GPUs that the deadline needs, in whole copies of the model, at least one."""
    return max(1, ceil(deadline_gpus_exact / model_parallel_gpus)) * model_parallel_gpus
