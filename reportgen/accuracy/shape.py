"""The model of a row: its columns, the blanks filled from the catalogue's preset of that name."""

from __future__ import annotations

from typing import Any

from reportgen.accuracy.cells import IncompleteError, NotEstimatedError, Row, as_number
from reportgen.accuracy.experts import expert_inputs
from reportgen.accuracy.presets import preset_for, preset_inputs
from reportgen.accuracy.setup import defaults
from reportgen.model.axes import LAYER

# The columns of a table and the inputs that they are.
COLUMNS = {
    "layers": "layer_count",
    "hidden": "hidden_size",
    "heads": "head_count",
    "kv_heads": "kv_head_count",
    "head_dim": "head_size",
    "ffn": "ffn_size",
    "vocab": "vocabulary_size",
}
ESSENTIAL = ("layers", "hidden", "heads", "ffn", "vocab")
MAY_BE_WORDS = ("head_dim", "vocab")  # such as MLA, or a tokenizer's name


def shape_of(row: Row, further_layers: int = 0) -> dict[str, Any]:
    """The architecture's inputs; raises IncompleteError with every column that is missing.

    `further_layers` stand behind the last one and are like it.
    """
    preset = preset_for(row.text("model"))
    given = {**preset_inputs(preset), **_sizes(row), **_latent(row)}
    missing = [column for column in ESSENTIAL if COLUMNS[column] not in given]
    if missing:
        raise IncompleteError(f"incomplete: {', '.join(missing)} blank, and no preset of this model in the catalogue")
    if "latent" in given.get("kind_attention", ()):  # each query head has its own keys, whatever the table says
        given["kv_head_count"] = given["head_count"]
    given.setdefault("kv_head_count", given["head_count"])
    given.setdefault("head_size", _share_of_width(given["hidden_size"], given["head_count"]))
    given["layer_count"] += further_layers
    if given["layer_count"] > LAYER.rows:
        raise NotEstimatedError(f"{given['layer_count']} layers, of at most {LAYER.rows}")
    return {**given, **_words(row), **expert_inputs(row, given, further_layers)}


def _sizes(row: Row) -> dict[str, Any]:
    """The sizes that the row itself gives; words in their place, such as a tokenizer's name, are no size."""
    found: dict[str, Any] = {}
    for column, name in COLUMNS.items():
        if column in MAY_BE_WORDS and as_number(row.text(column)) is None:
            continue
        value = row.whole(column, least=1)
        if value is not None:
            found[name] = value
    return found


def _share_of_width(width: int, heads: int) -> int:
    """The size of a head that nobody states: its even share of the model's width."""
    if width % heads:
        raise IncompleteError(f"incomplete: head_dim is blank, and {heads} heads do not divide a width of {width}")
    return width // heads


def _latent(row: Row) -> dict[str, Any]:
    """Latent attention, where the row has its sizes."""
    if not row.text("kv_lora_rank"):
        return {}
    rotary = row.count("qk_pos_head_dim", 64)
    plain = row.count("qk_head_dim", 128)
    return {
        "head_size": plain + rotary,
        "rotary_head_size": rotary,
        "value_head_size": row.count("v_head_dim", plain),
        "key_value_latent_size": row.count("kv_lora_rank"),
        "query_latent_size": row.whole("q_lora_rank") or 0,
        "kind_attention": ("latent",) * len(defaults()["kind_attention"]),
    }


def _words(row: Row) -> dict[str, Any]:
    """What yes and no say of the model."""
    found: dict[str, Any] = {}
    if row.text("swiglu"):
        found["mlp_kind"] = "gated" if row.text("swiglu") == "yes" else "plain"
    if row.text("untied"):
        found["embedding_tying"] = "untied" if row.text("untied") == "yes" else "tied"
    positions = row.whole("learned_positions")
    return {**found, "learned_positions": positions} if positions else found
