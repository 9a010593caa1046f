"""The structure of a page for screen readers: its headings and its text in the order drawn, without decoration.

The structure tree of PDF (ISO 32000-1, 14.7 and 14.8), which ReportLab leaves to its callers. Everything on a page
that is neither a heading nor furniture is one run of text: a page of which only the title were marked would be read
as nothing but its title.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFObjectReference
from reportlab.pdfgen.canvas import Canvas

Role = Literal["H1", "H2", "P"]


@dataclass(frozen=True)
class Tags:
    """The marks of a document: the roles on each page that is done, and on the page at hand; each begins with P."""

    pages: list[list[Role]] = field(default_factory=list)
    at_hand: list[Role] = field(default_factory=lambda: ["P"])


def _written(canvas: Canvas) -> list[str]:
    # ReportLab has a public way to add to what was written, and none to begin it or to look at its end.
    written: list[str] = vars(canvas)["_code"]
    return written


def _opened(tags: Tags, role: Role) -> str:
    tags.at_hand.append(role)
    return _mark(role, len(tags.at_hand) - 1)


def _mark(role: Role, number: int) -> str:
    return f"/{role} <</MCID {number}>> BDC"


@contextmanager
def heading(canvas: Canvas, tags: Tags, role: Role = "H1") -> Iterator[None]:
    """What is drawn in this block is a heading. Not inside of a form that pages share."""
    _written(canvas).extend(["EMC", _opened(tags, role)])
    yield
    _written(canvas).extend(["EMC", _opened(tags, "P")])


@contextmanager
def furniture(canvas: Canvas, tags: Tags) -> Iterator[None]:
    """What is drawn in this block is read to nobody: a foot, a number of a page."""
    _written(canvas).extend(["EMC", "/Artifact BMC"])
    yield
    _written(canvas).extend(["EMC", _opened(tags, "P")])


def end_page(canvas: Canvas, tags: Tags) -> None:
    """The page is drawn: close what is open on it."""
    written, last = _written(canvas), len(tags.at_hand) - 1
    if last and written[-1] == _mark("P", last):
        written.pop()  # nothing came after the last heading, or after the foot
        tags.at_hand.pop()
    else:
        written.append("EMC")
    written.insert(0, _mark("P", 0))
    tags.pages.append(list(tags.at_hand))
    tags.at_hand[:] = ["P"]


def put_structure(canvas: Canvas, tags: Tags) -> None:
    """Give the document its structure, once all of its pages are drawn."""
    document: Any = vars(canvas)["_doc"]
    every: list[PDFObjectReference] = []
    parents: list[object] = []
    for number, (page, roles) in enumerate(zip(document.Pages.pages, tags.pages, strict=True)):
        shown = document.Reference(page)
        own = [
            document.Reference(
                PDFDictionary({
                    "Type": PDFName("StructElem"), "S": PDFName(role), "P": PDFObjectReference("structure.whole"),
                    "Pg": shown, "K": mark,
                }),
                f"structure.{number}.{mark}",
            )
            for mark, role in enumerate(roles)
        ]  # fmt: skip
        every += own
        parents += [number, PDFArray(own)]
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents"]
        page.StructParents = number
    whole = {"S": PDFName("Document"), "P": PDFObjectReference("structure"), "K": PDFArray(every)}
    root = {
        "Type": PDFName("StructTreeRoot"),
        "K": document.Reference(PDFDictionary({"Type": PDFName("StructElem"), **whole}), "structure.whole"),
        "ParentTree": PDFDictionary({"Nums": PDFArray(parents)}),
        "ParentTreeNextKey": len(tags.pages),
    }
    document.Catalog.StructTreeRoot = document.Reference(PDFDictionary(root), "structure")
    document.Catalog.MarkInfo = PDFDictionary({"Marked": "true"})
