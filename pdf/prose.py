"""Titled lists of sentences set in the largest size that their box allows."""

from collections.abc import Sequence

from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import fit, plain, put_text, wrap


def draw_prose(
    canvas: Canvas,
    x: float,
    top: float,
    width: float,
    height: float,
    blocks: Sequence[tuple[str, Sequence[str]]],
) -> None:
    """Titled lists of sentences, in the largest size (10 down to 6.5) at which all of them fit the height."""
    size = 10.0
    while True:
        lines: list[tuple[str, bool, float]] = []
        for title, sentences in blocks:
            if not any(map(plain, sentences)):
                continue
            lines.append((title, True, size * (2.0 if lines else 1.0)))
            for sentence in filter(plain, sentences):
                for i, line in enumerate(wrap(sentence, size, width - 9)):
                    lines.append((line, False, size * (1.5 if i == 0 else 1.22)))
        need = sum(step for _, _, step in lines) + size * 0.3
        if need <= height or size <= 6.5:
            break
        size -= 0.25
    y = top
    for place, (line, is_title, step) in enumerate(lines):
        y -= step
        if not is_title and step == size * 1.5:
            canvas.rect(x + 0.5, y + size * 0.22, 2.6, 2.6, stroke=0, fill=1)
        more = lines[place + 1][2] if place + 1 < len(lines) else 0
        if more and y - more < top - height:
            shorter = fit(f"{line}…", size, width - 9, min_size=size * 0.8)
            put_text(canvas, x + 9, y, shorter.lines[0], shorter.size, is_title)
            break
        put_text(canvas, x if is_title else x + 9, y, line, size, is_title)
