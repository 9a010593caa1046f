"""A QR code as one filled path: sharp at any size, and quick to draw."""

from functools import lru_cache

import segno
from reportlab.pdfgen.canvas import Canvas

from pdf.tags import part


@lru_cache(maxsize=1024)
def _modules(content: str) -> tuple[int, str]:
    """The modules a side, and every dark run of them as a rectangle in PDF's own words, in modules from lower left."""
    matrix = segno.make(content, error="m", micro=False, boost_error=False).matrix
    side = len(matrix)
    runs: list[str] = []
    for row, modules in enumerate(matrix):
        start = -1
        for column in range(side + 1):
            dark = column < side and bool(modules[column])
            if dark and start < 0:
                start = column
            elif not dark and start >= 0:
                runs.append(f"{start} {side - row - 1} {column - start} 1 re")
                start = -1
    return side, " ".join(runs)


def draw_qr(canvas: Canvas, x: float, y: float, size: float, content: str) -> None:
    """Draw the code of ``content`` (an address) as a square of ``size`` points, lower left corner at x, y.

    The caller keeps four modules' width free all round (ISO/IEC 18004; an eighth of the size is enough from
    version 3 on). Draws nothing without ``content``. Raises segno.DataOverflowError over some 2,300 bytes.
    """
    if not content:
        return
    side, dark = _modules(content)
    module = size / side
    with part(canvas, "Figure", alt=f"QR code: {content}"):
        canvas.saveState()
        canvas.transform(module, 0, 0, module, x, y)
        # Hundreds of rectangles, each spelt out by ReportLab, would take half of a sheet's time.
        canvas.addLiteral(f"{dark} f")
        canvas.restoreState()
