"""The native chart: memory on one GPU of each stage, stacked, against the card's capacity."""

from __future__ import annotations

from typing import Any

from openpyxl import Workbook
from openpyxl.chart import BarChart, LineChart, Reference, Series
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.drawing.line import LineProperties

from reportgen.workbook.cells import Layout
from reportgen.workbook.sheet_summary import CHART_HEIGHT, CHART_PARTS, CHART_ROW, TABLE_FIRST, WIDTHS

PALETTE = ("1F3A5F", "3E6FA3", "7FA8CF", "D98E04", "8C5A9E", "9CA3AF")
CAPACITY_COLOUR = "B3261E"
CENTIMETRES_PER_ROW = 0.53
CENTIMETRES_PER_CHARACTER = 0.245


def add_memory_chart(workbook: Workbook, layout: Layout) -> None:
    """Puts the chart on each sheet of outputs, over the table that it draws."""
    for output in layout.sheets:
        if output.kind == "output":
            sheet, last = workbook[output.name], max(cell.row for cell in output.cells)
            chart = _bars(sheet, last)
            chart += _line(sheet, last)
            chart.width = sum(WIDTHS.values()) * CENTIMETRES_PER_CHARACTER
            chart.height = CHART_HEIGHT * CENTIMETRES_PER_ROW
            sheet.add_chart(chart, f"A{CHART_ROW}")


def _bars(sheet: Any, last: int) -> Any:
    chart = BarChart()
    chart.type, chart.grouping, chart.overlap, chart.gapWidth = "col", "stacked", 100, 60
    chart.title = "Memory on one GPU by pipeline stage, against the card"
    chart.x_axis.title, chart.y_axis.title = "Pipeline stage, from 0", "GB"
    chart.x_axis.delete = chart.y_axis.delete = False
    chart.y_axis.number_format = "#,##0"
    chart.y_axis.scaling.min = 0
    chart.y_axis.majorGridlines.spPr = GraphicalProperties(ln=LineProperties(solidFill="D5DAE1"))
    chart.legend.position = "r"
    for column, colour in enumerate(PALETTE, start=2):
        series = _series(sheet, column, last)
        series.graphicalProperties = GraphicalProperties(solidFill=colour)
        series.graphicalProperties.line.noFill = True
        chart.series.append(series)
    chart.set_categories(Reference(sheet, min_col=1, min_row=TABLE_FIRST, max_row=last))
    return chart


def _line(sheet: Any, last: int) -> Any:
    chart = LineChart()
    series = _series(sheet, len(CHART_PARTS) + 2, last)
    series.graphicalProperties = GraphicalProperties(
        ln=LineProperties(solidFill=CAPACITY_COLOUR, w=28000, prstDash="dash")
    )
    series.marker.symbol, series.marker.size = "dash", 12
    series.marker.graphicalProperties = GraphicalProperties(solidFill=CAPACITY_COLOUR)
    series.smooth = False
    chart.series.append(series)
    chart.set_categories(Reference(sheet, min_col=1, min_row=TABLE_FIRST, max_row=last))
    return chart


def _series(sheet: Any, column: int, last: int) -> Any:
    values = Reference(sheet, min_col=column, min_row=TABLE_FIRST - 1, max_row=last)
    return Series(values, title_from_data=True)
