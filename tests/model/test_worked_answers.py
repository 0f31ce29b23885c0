"""The worked answers come out of whole scenarios, to the digits in which they were published or worked."""

from __future__ import annotations

import pytest

from reportgen.model import estimator
from tests.model.cases import Answer, answers, preset, values_of

GB = 1e9
EIGHT_GPUS = {"gpu_count": 8, "zero_stage": 3, "micro_batch_size": 2}


@pytest.mark.parametrize("answer", answers(), ids=lambda answer: answer.answer)
def test_answer_comes_out(answer: Answer) -> None:
    assert answer.expected == pytest.approx(answer.found(estimator()), rel=1e-12, abs=answer.within)


def test_answers_are_all_different() -> None:
    titles = [answer.answer for answer in answers()]
    assert sorted(set(titles)) == sorted(titles)


def test_rule_of_selective_recomputation_for_7b_on_8_gpus_lies_in_its_30_to_35_gb() -> None:
    values = values_of(preset("llama2-7b", rule_parameters_override=7e9, **EIGHT_GPUS))
    assert 30 < values["selective_rule_bytes"] / GB < 35


def test_itemised_7b_on_8_gpus_takes_about_51_gb_with_the_head_where_the_rule_says_30_to_35() -> None:
    """14 GB of state rounded up from 13.5, 34.5 GB of activations with fused kernels, 2.8 GB of head."""
    values = values_of(preset("llama2-7b", recompute="selective", **EIGHT_GPUS))
    parts = ("stage_state_bytes", "stage_activation_bytes", "stage_head_bytes")
    assert pytest.approx([13.48, 34.53, 2.76], abs=0.005) == [values[part][0] / GB for part in parts]
    assert sum(values[part][0] for part in parts) / GB == pytest.approx(51, abs=0.5)


def test_itemised_7b_on_8_gpus_takes_about_20_gb_with_full_recomputation() -> None:
    """32 inputs of 67 MB instead of 34.5 GB of activations; a layer of 1.08 GB comes back once the head has gone."""
    values = values_of(preset("llama2-7b", recompute="full", **EIGHT_GPUS))
    parts = ("stage_state_bytes", "stage_activation_bytes", "stage_head_bytes")
    assert pytest.approx([13.48, 2.15, 2.76], abs=0.005) == [values[part][0] / GB for part in parts]
    assert values["peak_memory_bytes"] / GB == pytest.approx(20, abs=1)


def test_selective_recomputation_saves_nothing_where_flash_attention_stores_no_scores() -> None:
    kept = {
        recompute: values_of(preset("llama2-7b", recompute=recompute))["stage_activation_bytes"][0]
        for recompute in ("none", "selective")
    }
    assert kept["none"] == kept["selective"]


def test_selective_recomputation_drops_the_scores_where_they_are_stored() -> None:
    """32 layers of 5 x 32 heads x 4096 x 4096 bytes; one layer's worth comes back in place of the loss head."""
    kept = {
        recompute: values_of(preset("llama2-7b", recompute=recompute, flash_attention="off"))
        for recompute in ("none", "selective")
    }
    saving = kept["none"]["stage_activation_bytes"][0] - kept["selective"]["stage_activation_bytes"][0]
    assert saving == 31 * 5 * 32 * 4096 * 4096 + kept["selective"]["stage_head_bytes"][0]


def test_full_recomputation_costs_about_33_percent_more_compute() -> None:
    values = values_of(preset("llama2-7b", recompute="full", flops_convention="causal attention with head"))
    more = values["hardware_flops_per_token"] / values["model_flops_per_token"] - 1
    assert more == pytest.approx(1 / 3, abs=0.015)


def test_gradients_and_activations_are_in_the_same_peak() -> None:
    values = values_of(preset("llama3-8b"))
    parts = ("weight", "gradient", "optimizer", "activation", "head", "buffer")
    assert values["peak_memory_bytes"] == sum(values[f"stage_{part}_bytes"][0] for part in parts)


def test_tokens_per_second_and_gpu_times_6n_is_the_utilised_peak() -> None:
    values = values_of(preset("llama3-8b", gpu_count=512))
    assert values["tokens_per_second_per_gpu"] * 6 * 8030261248 == pytest.approx(0.4 * 989e12, rel=1e-12)


LLAMA2_GPU_HOURS = {"llama2-7b": 184_320, "llama2-13b": 368_640, "llama2-70b": 1_720_320}


@pytest.mark.parametrize(("name", "published"), LLAMA2_GPU_HOURS.items())
def test_published_gpu_hours_of_llama_2_lie_between_half_and_a_third_of_the_peak(name: str, published: int) -> None:
    """Llama 2 model card: hours on A100 of 400 W for 2T tokens."""
    run = {"accelerator": "NVIDIA A100 SXM 80GB", "price_override": 1, "training_tokens": 2e12}
    fast, slow = (values_of(preset(name, flops_utilization=share, **run))["gpu_hours"] for share in (1 / 2, 1 / 3))
    assert fast < published < slow


def test_full_recomputation_takes_the_hardware_flops_of_narayanan() -> None:
    """96 l h^2 (1 + s / 6h + V / 16lh) a token: every score counted, in the useful FLOPs and in those done again."""
    values = values_of(
        preset(
            "gpt3-175b",
            vocabulary_size=51200,
            sequence_length=2048,
            recompute="full",
            flops_convention="full attention with head",
        )
    )
    layers, hidden, tokens, entries = 96, 12288, 2048, 51200
    expected = 96 * layers * hidden**2 * (1 + tokens / 6 / hidden + entries / 16 / layers / hidden)
    assert values["hardware_flops_per_token"] == pytest.approx(expected, rel=1e-12)


def test_recomputation_under_6n_counts_no_attention_either() -> None:
    """8N, as BigScience counts, but for embedding, head and norms, which are not computed again."""
    values = values_of(preset("llama2-7b", recompute="full"))
    again = values["hardware_flops_per_token"] - values["six_n_flops_per_token"]
    assert again == pytest.approx(2 * 32 * 202375168, rel=1e-12)
