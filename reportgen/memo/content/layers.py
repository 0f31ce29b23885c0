"""Layer by layer: one row for each kind of layer that is used, and what stands before and after the layers."""

from __future__ import annotations

from reportgen.memo.axis import DECIMAL_BYTES, Unit, UnitSystem
from reportgen.memo.content.say import Teller, column
from reportgen.memo.content.words import Sentence, sentence
from reportgen.memo.document import Column, Printed, Row, Section, Table
from reportgen.result import Result

PARAMETERS = UnitSystem((Unit("", 1.0), Unit("thousand", 1e3), Unit("million", 1e6), Unit("billion", 1e9)))
FLOPS = UnitSystem((Unit("FLOP", 1.0), Unit("kFLOP", 1e3), Unit("MFLOP", 1e6), Unit("GFLOP", 1e9), Unit("TFLOP", 1e12)))
STATE = ("layer_weight_bytes", "layer_gradient_bytes", "layer_optimizer_bytes")
NONE = "–"


def layers(result: Result) -> Section:
    """A table with a typical layer of each kind used, and the embedding and the head."""
    teller = Teller(result)
    return Section("Per-layer breakdown", paragraphs=(_words(teller),), tables=(_table(teller),))


def typical_layers(teller: Teller) -> tuple[int, ...]:
    """The first layer of each kind that is used."""
    kinds = teller.value("layer_kind")
    return tuple(kinds.index(kind) for kind in dict.fromkeys(kinds))


def _words(teller: Teller) -> Sentence:
    typical = typical_layers(teller)
    alike = "All layers are of one kind" if len(typical) == 1 else "There is one row for each kind of layer"
    tied = " The head shares the embedding's matrix." if teller.value("embedding_tying") == "tied" else ""
    return sentence(
        alike, "; bytes are those of one GPU of the layer's stage, activations those kept for one micro-batch, FLOP "
        "those of one token forward and backward with causal attention. The loss head keeps ",
        teller.say("loss_head_bytes"), _where(teller), tied, " The workbook has a row for every layer.",
    )  # fmt: skip


def _where(teller: Teller) -> str:
    if teller.value("pipeline_stages") == 1:
        return "."
    return " on the first and the last stage." if teller.value("mirrored_share") else " on the last stage."


def _table(teller: Teller) -> Table:
    typical = typical_layers(teller)
    parameter_unit, parameters = _parameters(teller, typical)
    formulas = [f"{name}[{layer}]" for name in (*STATE, "layer_activation_bytes") for layer in typical]
    bytes_unit, sizes = column([(teller, formula) for formula in formulas], DECIMAL_BYTES)
    flop_formulas = [*(f"layer_causal_flops[{layer}]" for layer in typical), "head_flops_per_token"]
    flop_unit, flops = column([(teller, formula) for formula in flop_formulas], FLOPS)
    count = len(typical)
    rows = tuple(
        Row((_kind(teller, layer), _how_many(teller, layer), parameters[index],
             *(sizes[index + count * part] for part in range(len(STATE) + 1)), flops[index]))
        for index, layer in enumerate(typical)
    )  # fmt: skip
    ends = (
        Row(("Embedding", NONE, parameters[count], NONE, NONE, NONE, NONE, NONE)),
        Row(("Head", NONE, parameters[count + 1], NONE, NONE, NONE, NONE, flops[count])),
    )
    heads = (
        Column("Kind", align="left"), Column("Layers"), Column("Parameters", parameter_unit),
        Column("Weights", bytes_unit), Column("Gradients", bytes_unit), Column("Optimizer state", bytes_unit),
        Column("Activations", bytes_unit), Column("FLOP per token", flop_unit),
    )  # fmt: skip
    return Table("One layer of each kind, on one GPU", heads, (*rows, *ends))


def _parameters(teller: Teller, typical: tuple[int, ...]) -> tuple[str, tuple[Printed, ...]]:
    formulas = [*(f"layer_parameters[{layer}]" for layer in typical), "embedding_parameters", "head_parameters"]
    return column([(teller, formula) for formula in formulas], PARAMETERS)


def _kind(teller: Teller, layer: int) -> Printed:
    return teller.say(f"layer_kind[{layer}]")


def _how_many(teller: Teller, layer: int) -> Printed:
    kind = teller.value("kind_name").index(teller.value(f"layer_kind[{layer}]"))
    return teller.cell(f"kind_layers[{kind}]")
