"""The same scoresheets by other makers of PDFs, in one run, from the checkout, with the peers where Python finds them:

    python -m venv /tmp/peers && /tmp/peers/bin/pip install weasyprint fpdf2 typst
    PYTHONPATH=$PWD:$(ls -d /tmp/peers/lib/python3*/site-packages) python -m benchmarks.pdf_peers [TABLES] [FOLDER]

They are no part of the project's own environment. Each draws what ``benchmarks/pdf.py`` has on a sheet: the table's
number, event and code, both players, the scenario's words, the map to scale with markers and rulers, the grid of
victory points with hatched or grey cells, the markers by kind, totals, signatures, and the QR code, in one document
of so many pages. How fine that looks is ours alone to answer for: the peers' sheets are as plain as can be, with one
typeface and no care for names that are too long or of another script. With a FOLDER their documents are left there to
be looked at.
"""

import html
import importlib
import json
import platform
import resource
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import segno

from benchmarks.pdf import PRINTED, sheet
from pdf.scoresheet import scoresheets
from pdf.sheet_data import Scoresheet
from pdf.table_map import TableMap

RUNS = 3
FACE = "DejaVu Sans"
FACE_FILE = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
Maker = Callable[[Sequence[Scoresheet]], bytes]


def overseer(sheets: Sequence[Scoresheet]) -> bytes:
    """Ours."""
    return scoresheets(list(sheets), "A4", PRINTED)


def qr_svg(content: str) -> str:
    """The QR code as a drawing."""
    out = BytesIO()
    segno.make(content, error="m", micro=False, boost_error=False).save(out, kind="svg", xmldecl=False, svgns=True)
    return out.getvalue().decode()


def map_svg(table: TableMap | None) -> str:
    """The table as a drawing, an inch being ten units; nothing of a scenario without a map."""
    if table is None:
        return ""
    side, depth = table.inches * 10, table.deployment * 10
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-30 -30 {side + 60} {side + 60}">']
    for top in (0, side - depth):
        parts.append(f'<rect x="0" y="{top}" width="{side}" height="{depth}" fill="#ddd"/>')
    for at in range(0, side + 1, 60):
        parts.append(f'<path d="M{at} 0V{side}M0 {at}H{side}" stroke="#999" stroke-width="1" fill="none"/>')
    for marker in table.markers:
        x, y = marker.x * 10, side - marker.y * 10
        parts.append(f'<circle cx="{x}" cy="{y}" r="10" fill="#fff" stroke="#000" stroke-width="2"/>')
        parts.append(f'<text x="{x + 12}" y="{y + 4}" font-size="12">{html.escape(marker.label)}</text>')
    for lane, measure in enumerate(table.across):
        for start, end, colour in measure.parts:
            y = -8 - 8 * lane
            parts.append(f'<path d="M{start * 10} {y}H{end * 10}" stroke="{colour}" stroke-width="5" fill="none"/>')
    for lane, measure in enumerate(table.up):
        for start, end, colour in measure.parts:
            x = side + 8 + 8 * lane
            parts.append(f'<path d="M{x} {side - start * 10}V{side - end * 10}" stroke="{colour}" stroke-width="5"/>')
    return "".join([*parts, "</svg>"])


STYLE = f"""
@page {{ size: A4; margin: 11mm }}
body {{ font: 9pt "{FACE}" }} section {{ break-after: page }}
table {{ border-collapse: collapse; width: 100%; margin: 2mm 0 }} td, th {{ border: .5pt solid #000; height: 7mm }}
.no {{ background: #ccc }} .number {{ background: #000; color: #fff; font-size: 40pt }} .qr svg {{ width: 26mm }}
.map {{ width: 90mm; float: left; margin-right: 4mm }} .map svg {{ width: 90mm }} .clear {{ clear: both }}
"""


def _grid_rows(one: Scoresheet) -> str:
    rows = []
    for side, most in (("A", one.grid.most_a), ("B", one.grid.most_b)):
        cells = "".join('<td class="no">–</td>' if limit == 0 else f"<td>/{limit}</td>" for limit in most)
        rows.append(f"<tr><td>{side}</td>{cells}<td></td></tr>")
    return "".join(rows)


def _page(one: Scoresheet) -> str:
    text = html.escape
    people = "".join(
        f"<td><b>{side} {text(p.name)}</b> {p.force_total} {one.unit}<br>"
        f"{text(p.faction)} · {text(p.club)}<br>{text(p.leader)}</td>"
        for side, p in (("A", one.a), ("B", one.b))
    )
    words = "".join(f"<p>{text(step)}</p>" for step in (*one.setup, *one.scoring))
    kinds = "".join(
        f"<tr><td>{text(kind)}</td>{'<td></td>' * (2 * one.objectives.each)}</tr>" for kind in one.objectives.kinds
    )
    heads = "".join(f"<th>{number}</th>" for number in range(1, len(one.grid.most_a) + 1))
    return (
        f'<section><table><tr><td class="number">{one.table}</td><td><b>{text(one.event)}</b><br>'
        f"Round {one.round_number} · {one.minutes} minutes<br>"
        f'{one.code} at {one.address}</td><td class="qr">{qr_svg(one.url)}</td></tr></table>'
        f"<table><tr>{people}</tr></table><h3>{text(one.scenario)}</h3>"
        f'<div class="map">{map_svg(one.table_map)}</div>{words}<div class="clear"></div>'
        f"<table><tr><th></th>{heads}<th>Sum</th></tr>{_grid_rows(one)}</table><table>{kinds}</table>"
        "<table><tr><td>Signature A</td><td>Signature B</td><td>Winner A / B / draw</td></tr></table></section>"
    )


def weasyprint(sheets: Sequence[Scoresheet]) -> bytes:
    """HTML and CSS, as many web applications print."""
    maker = importlib.import_module("weasyprint")
    page = f"<style>{STYLE}</style>{''.join(map(_page, sheets))}"
    made: bytes = maker.HTML(string=page).write_pdf()
    return made


def fpdf2(sheets: Sequence[Scoresheet]) -> bytes:
    """Drawn by coordinates, as ours."""
    pdf = importlib.import_module("fpdf").FPDF(format="A4", unit="mm")
    pdf.set_auto_page_break(False)
    pdf.add_font("face", fname=str(FACE_FILE))
    for one in sheets:
        pdf.add_page()
        pdf.set_font("face", size=40)
        pdf.set_xy(11, 11)
        pdf.cell(30, 24, str(one.table), border=1, align="C")
        pdf.set_font("face", size=9)
        for line, words in enumerate(
            (one.event, f"Round {one.round_number}, {one.minutes} minutes", f"{one.code} at {one.address}")
        ):
            pdf.text(45, 16 + 7 * line, words)
        _fpdf_qr(pdf, one.url, 172, 11, 27)
        for x, side, who in ((11, "A", one.a), (106, "B", one.b)):
            pdf.rect(x, 40, 93, 18)
            for line, words in enumerate(
                (f"{side} {who.name}  {who.force_total} {one.unit}", f"{who.faction} · {who.club}", who.leader)
            ):
                pdf.text(x + 3, 45 + 5 * line, words)
        pdf.text(11, 65, one.scenario)
        if one.table_map is not None:
            _fpdf_map(pdf, one.table_map, 16, 76, 84)
        pdf.set_xy(110, 70)
        for step in (*one.setup, *one.scoring):
            pdf.set_x(110)
            pdf.multi_cell(89, 4, step, new_x="LMARGIN", new_y="NEXT")
        wide = 140 / len(one.grid.most_a)
        for row, (side, most) in enumerate((("A", one.grid.most_a), ("B", one.grid.most_b))):
            pdf.set_xy(11, 175 + 10 * row)
            pdf.cell(20, 10, side, border=1)
            pdf.set_fill_color(205)
            for limit in most:
                pdf.cell(wide, 10, "–" if limit == 0 else f"/{limit}", border=1, align="R", fill=limit == 0)
            pdf.cell(28, 10, "Sum", border=1)
        for row, kind in enumerate(one.objectives.kinds):
            pdf.set_xy(11, 200 + 6 * row)
            pdf.cell(48, 6, kind, border=1)
            for _ in range(2 * one.objectives.each):
                pdf.cell(14, 6, "", border=1)
        for x, words in ((11, "Signature A"), (75, "Signature B"), (139, "Winner A / B / draw")):
            pdf.rect(x, 245, 60, 15)
            pdf.text(x + 2, 249, words)
    return bytes(pdf.output())


def _fpdf_qr(pdf: Any, content: str, x: float, y: float, size: float) -> None:
    matrix = segno.make(content, error="m", micro=False, boost_error=False).matrix
    module = size / len(matrix)
    pdf.set_fill_color(0)
    for row, line in enumerate(matrix):
        start = -1
        for column in range(len(line) + 1):
            dark = column < len(line) and bool(line[column])
            if dark and start < 0:
                start = column
            elif not dark and start >= 0:
                pdf.rect(x + start * module, y + row * module, (column - start) * module, module, style="F")
                start = -1


def _fpdf_map(pdf: Any, table: TableMap, x: float, y: float, size: float) -> None:
    inch = size / table.inches
    pdf.set_fill_color(221)
    for top in (0.0, size - table.deployment * inch):
        pdf.rect(x, y + top, size, table.deployment * inch, style="F")
    for at in range(0, table.inches + 1, 6):
        pdf.line(x + at * inch, y, x + at * inch, y + size)
        pdf.line(x, y + at * inch, x + size, y + at * inch)
    for marker in table.markers:
        cx, cy = x + marker.x * inch, y + size - marker.y * inch
        pdf.ellipse(cx - 2.5, cy - 2.5, 5, 5)
        pdf.text(cx + 3, cy + 1, marker.label)
    for lane, measure in enumerate(table.across):
        for start, end, colour in measure.parts:
            pdf.set_fill_color(*bytes.fromhex(colour[1:]))
            pdf.rect(x + start * inch, y - 2 - 2 * lane, (end - start) * inch, 1.2, style="F")
    for lane, measure in enumerate(table.up):
        for start, end, colour in measure.parts:
            pdf.set_fill_color(*bytes.fromhex(colour[1:]))
            pdf.rect(x + size + 1 + 2 * lane, y + size - end * inch, 1.2, (end - start) * inch, style="F")


TYPST = """
#set page(paper: "a4", margin: 11mm)
#set text(font: "{face}", size: 9pt)
#let sheets = json(bytes(sys.inputs.sheets))
#for one in sheets [
  #grid(columns: (30mm, 1fr, 28mm), rect(fill: black, text(40pt, white)[#one.table]),
    [*#one.event* \\ #one.round \\ #one.code], image(bytes(one.qr), width: 27mm))
  #grid(columns: (1fr, 1fr), gutter: 3mm, ..one.people.map(p => rect(width: 100%)[*#p.at(0)* \\ #p.at(1) \\ #p.at(2)]))
  === #one.scenario
  #grid(columns: (92mm, 1fr), gutter: 4mm, image(bytes(one.map), width: 90mm), one.words.map(w => par(w)).join())
  #table(columns: (20mm,) + (1fr,) * one.grid.at(0).len() + (24mm,),
    ..one.grid.enumerate().map(((n, row)) => ([#("A", "B").at(n)],
      ..row.map(most => if most == 0 {{ table.cell(fill: luma(205))[–] }} else {{ [max #most] }}), [])).flatten())
  #table(columns: (48mm,) + (1fr,) * one.each, ..one.kinds.map(kind => ([#kind], ..([],) * one.each)).flatten())
  #let boxes = ("Signature A", "Signature B", "Winner A / B / draw")
  #grid(columns: (1fr, 1fr, 1fr), ..boxes.map(t => rect(width: 100%, height: 14mm, t)))
  #pagebreak(weak: true)
]
"""


def typst(sheets: Sequence[Scoresheet]) -> bytes:
    """A typesetter in Rust, through its Python package; all of the data goes in as one document."""
    words = [
        {
            "table": str(one.table), "event": one.event, "round": f"Round {one.round_number}, {one.minutes} minutes",
            "code": f"{one.code} at {one.address}", "qr": qr_svg(one.url), "map": map_svg(one.table_map),
            "people": [
                [f"{side} {p.name}, {p.force_total} {one.unit}", f"{p.faction} · {p.club}", p.leader]
                for side, p in (("A", one.a), ("B", one.b))
            ],
            "scenario": one.scenario, "words": [*one.setup, *one.scoring], "grid": [one.grid.most_a, one.grid.most_b],
            "kinds": one.objectives.kinds, "each": 2 * one.objectives.each,
        }
        for one in sheets
    ]  # fmt: skip
    with tempfile.NamedTemporaryFile("w", suffix=".typ") as source:
        source.write(TYPST.format(face=FACE))
        source.flush()
        made: bytes = importlib.import_module("typst").compile(source.name, sys_inputs={"sheets": json.dumps(words)})
    return made


MAKERS: dict[str, Maker] = {"overseer": overseer, "weasyprint": weasyprint, "fpdf2": fpdf2, "typst": typst}


def main(tables: int, folder: Path | None) -> None:
    """Draw with each in turn, ``RUNS`` times round, and print the medians."""
    sheets = [sheet(table) for table in range(1, tables + 1)]
    took: dict[str, list[tuple[float, float]]] = {name: [] for name in MAKERS}
    size: dict[str, int] = {}
    for name, make in MAKERS.items():
        made = make(sheets[:1])  # reads its fonts
        if folder is not None:
            (folder / f"{name}.pdf").write_bytes(make(sheets[:3]))
        assert made.startswith(b"%PDF")
    for _ in range(RUNS):
        for name, make in MAKERS.items():
            start, used = perf_counter(), process_time()
            size[name] = len(make(sheets))
            took[name].append((perf_counter() - start, process_time() - used))
    print(
        f"{platform.machine()}, Python {platform.python_version()}; {tables} sheets in one document, medians of {RUNS}"
    )
    print(f"{'':24} sheets/s   of one core      MB   to ours")
    ours = median(wall for wall, _ in took["overseer"])
    for name, runs in took.items():
        known = "" if name == "overseer" else f" {version(name)}"
        wall, cpu = median(one for one, _ in runs), median(one for _, one in runs)
        print(
            f"{name + known:24} {tables / wall:8.0f} {tables / cpu:13.0f} {size[name] / 1e6:7.2f} {ours / wall:13.2f}"
        )
    print(f"peak memory of all together {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, Path(sys.argv[2]) if len(sys.argv) > 2 else None)
