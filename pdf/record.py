"""The table on the record of a finished game: what each side reported, and its VP. Lengths are in points."""

from collections.abc import Sequence
from itertools import chain

from languages.words import gettext
from pdf.page import Frame, Paper, section, section_height
from pdf.score_form import draw_sides
from pdf.score_size import side_tab
from pdf.sheet_data import FormRow, ScoreForm, Scoresheet, SideResult
from pdf.table import Col, Table, table_rows

NO, SHARE, TAB = "–", 0.36, 1.5
"""For what was not reported; the share of the width for a side's column; the width of a side's letter in type sizes."""


def draw_record(paper: Paper, sheet: Scoresheet, frame: Frame, size: float) -> float:
    """Draw what was reported from the top of the frame down, in this type size, and return the y below.

    VP by game round have a row for each side; a game's own form has a column. A game that was not played has none.
    The sides have the letters and heads of the sheet to fill in.
    """
    if all(result == SideResult() for *_, result in sheet.sides):
        return frame.top
    title = gettext("Reported") if sheet.form else gettext("Victory points in each game round")
    section(paper.canvas, frame.left, frame.top, frame.width, title, size=size)
    y, canvas = frame.top - section_height(size), paper.canvas
    table = _by_round(sheet, size, frame.width)
    if sheet.form:
        size = min(size, 11.5)
        head = size * 1.6
        table = _of_form(sheet.form, [result for *_, result in sheet.sides], size)
        draw_sides(canvas, sheet, frame.right, y, frame.width * SHARE, head, max(8.5, size * 0.8))
        y -= head
    for place, row in enumerate(chain(*table_rows(table, frame.width))):
        row.draw(canvas, frame.left, y, frame.width)
        y -= row.height
        if place and not sheet.form:
            side_tab(canvas, frame.left, y, size * TAB, row.height, "AB"[place - 1])
    return y


def _by_round(sheet: Scoresheet, size: float, width: float) -> Table:
    rounds, rows = len(sheet.grid.most_a), list[tuple[str, ...]]()
    for *_, result in sheet.sides:
        figures = result.figures or (None,) * rounds
        known = [figure for figure in figures if figure is not None]
        parts = (sum(known) if known else None, result.objectives)[: len(sheet.summed) - 1]
        shown = (NO if one is None else str(one) for one in (*figures, *parts, result.total))
        rows.append(("", result.choice, *shown))
    heads = [*map(str, range(1, rounds + 1)), *sheet.summed]
    columns = [Col("", "centre", share=size * TAB / width), Col(gettext("Choice"), "fixed")]
    columns += [Col(head, "centre", strong=head == heads[-1], share=0.8 / len(heads)) for head in heads]
    if not any(choice for _, choice, *_ in rows):
        columns, rows = [columns[0], *columns[2:]], [(row[0], *row[2:]) for row in rows]
    return Table(tuple(columns), tuple(rows), size=size, ruled=True)


def _of_form(form: ScoreForm, results: Sequence[SideResult], size: float) -> Table:
    a, b = (_reported(rows, form, result) for rows, result in zip((form.a, form.b), results, strict=True))
    rows = [(label, a.get(label, NO), b.get(label, NO)) for label in {**a, **b}]
    totals = [NO if result.total is None else _vp(result.total) for result in results]
    only = [row[1:] for row in rows] == [tuple(totals)]
    heads = Col(""), Col("", "centre", strong=True, share=SHARE), Col("", "centre", strong=True, share=SHARE)
    total = () if only or set(totals) == {NO} else (gettext("Total VP"), *totals)
    return Table(heads, tuple(rows), total, size=size, ruled=True)


def _reported(rows: tuple[FormRow, ...], form: ScoreForm, result: SideResult) -> dict[str, str]:
    """By label, each choice and number, and the parts of the sum: "2 × 5 = 10 VP"; "yes" for what is so."""
    figures, found = iter(result.figures), dict[str, str]()
    for row in rows:
        if row.choices:
            vp = dict(zip(row.choices, row.worth, strict=False)).get(result.choice)
            found[row.label] = result.choice + (f": {_vp(vp)}" if vp is not None and any(row.worth) else "") or NO
        elif (number := next(figures, None)) is not None:
            found[row.label] = _value(row, number)
    return found | {words: _vp(part) for words, part in zip(form.sums, result.parts, strict=False)}


def _value(row: FormRow, number: int) -> str:
    each = row.worth[0] if row.worth else 0
    if row.most == 1:
        return gettext("yes") if number else gettext("no")
    return f"{number} × {each} = {_vp(number * each)}" if each > 1 else _vp(number) if each else str(number)


def _vp(number: int) -> str:
    return gettext("%(vp)s VP", vp=number)
