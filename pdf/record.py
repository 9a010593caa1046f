"""The table on the record of a finished game: what each side reported, and its VP. Lengths are in points."""

from collections.abc import Iterator

from languages.words import gettext
from pdf.page import Frame, Paper, section, section_height
from pdf.score_size import side_tab
from pdf.sheet_data import FormRow, ScoreForm, Scoresheet, SideResult
from pdf.table import Col, Table, table_rows

NO = "–"


def draw_record(paper: Paper, sheet: Scoresheet, frame: Frame, size: float) -> float:
    """Draw the tables of both sides from the top of the frame down, in this type size, and return the y below.

    VP by game round are in one table; a game's own form has one for each side, next to each other. A game that was not
    played has none.
    """
    if all(result == SideResult() for *_, result in sheet.sides):
        return frame.top
    canvas, form = paper.canvas, sheet.form
    title = gettext("Reported") if form else gettext("Victory points in each game round")
    section(canvas, frame.left, frame.top, frame.width, title, size=max(9.0, size * 0.8))
    top, tab = frame.top - section_height(max(9.0, size * 0.8)), size * 1.4
    tables = [_of_side(form, *one, size) for one in sheet.sides] if form else [_by_round(sheet, size)]
    width, lows = (frame.width - 10 * (len(tables) - 1)) / len(tables), list[float]()
    for place, table in enumerate(tables):
        x, y = frame.left + place * (width + 10), top
        head, rows = table_rows(table, width - tab)
        for row in (*head, *rows):
            row.draw(canvas, x + tab, y, width - tab)
            y -= row.height
            if not form and row in rows:
                side_tab(canvas, x, y, tab, row.height, "AB"[rows.index(row)])
        if form and rows:
            side_tab(canvas, x, y, tab, top - y, "AB"[place])
        lows.append(y)
    return min(lows)


def _by_round(sheet: Scoresheet, size: float) -> Table:
    rows = list[list[str]]()
    for *_, result in sheet.sides:
        known = [figure for figure in result.figures if figure is not None]
        parts = (sum(known) if known else None, result.objectives)[: len(sheet.summed)]
        rows.append([NO if one is None else str(one) for one in (*result.figures, *parts, result.total)])
    rounds = len(sheet.grid.most_a)
    rows = [[NO] * (rounds + 1 + len(sheet.summed) - len(row)) + row for row in rows]
    chosen = [result.choice for *_, result in sheet.sides]
    columns = [*map(str, range(1, rounds + 1)), *sheet.summed, gettext("Total VP")]
    heads = [Col(head, "centre", strong=head == columns[-1]) for head in columns]
    if any(chosen):
        heads, rows = (
            [Col(gettext("Choice"), "fixed"), *heads],
            [[of, *row] for of, row in zip(chosen, rows, strict=True)],
        )
    return Table(tuple(heads), tuple(map(tuple, rows)), size=size, ruled=True)


def _of_side(form: ScoreForm, side: str, _: object, result: SideResult, size: float) -> Table:
    shown = list(_reported(form.a if side == "A" else form.b, result))
    sums = (words.format(own=side, enemy="B" if side == "A" else "A") for words in form.sums)
    shown += [(words, _vp(part)) for words, part in zip(sums, result.parts, strict=False)]
    only = [value for _, value in shown] == [_vp(result.total or 0)]
    total = (gettext("Total VP"), str(result.total)) if result.total is not None and not only else ()
    return Table((Col(""), Col("", "figure", strong=True)), tuple(shown), total, size=size, ruled=True)


def _reported(rows: tuple[FormRow, ...], result: SideResult) -> Iterator[tuple[str, str]]:
    """The label and the value of each choice and number: "2 × 5 = 10 VP"; "yes" for what is so."""
    figures = iter(result.figures)
    for row in rows:
        if row.choices:
            vp = dict(zip(row.choices, row.worth, strict=False)).get(result.choice)
            if result.choice:
                yield f"{row.label}: {result.choice}", "" if vp is None or not any(row.worth) else _vp(vp)
        elif (number := next(figures, None)) is not None:
            yield row.label, _value(row, number)


def _value(row: FormRow, number: int) -> str:
    each = row.worth[0] if row.worth else 0
    if row.most == 1:
        return gettext("yes") if number else gettext("no")
    return f"{number} × {each} = {_vp(number * each)}" if each > 1 else _vp(number) if each else str(number)


def _vp(number: int) -> str:
    return gettext("%(vp)s VP", vp=number)
