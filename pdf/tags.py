"""The structure of a document for screen readers: headings, paragraphs, tables, lists, figures with their words.

The structure tree of PDF (ISO 32000-1, 14.7 and 14.8), which ReportLab leaves to its callers. Everything on a page that
is no part of its own is running text, so nothing is left out; what is furniture is read to nobody. What is drawn on a
canvas without tags, or into a form that pages share, is not marked by itself: mark the place where the form is used.
"""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFObjectReference, PDFString
from reportlab.pdfgen.canvas import Canvas

Role = Literal["Document", "H1", "H2", "P", "Table", "TR", "TH", "TD", "L", "LI", "LBody", "Figure", "Artifact"]
Within = tuple[Role, Hashable]
"""A part that others are in, and what tells it from its like: a table goes on over pages under one key."""


@dataclass(eq=False)
class Node:
    """A part of the document: what it is, and its parts or its marks (number of the page, number on it)."""

    role: Role
    parent: "Node | None" = None
    alt: str = ""
    kids: list["Node | tuple[int, int]"] = field(default_factory=list)


@dataclass(eq=False)
class Tags:
    """The parts of a document: by their keys, by the marks of each page, and those that are open."""

    whole: Node = field(default_factory=lambda: Node("Document"))
    keyed: dict[Hashable, Node] = field(default_factory=dict)
    pages: list[list[Node]] = field(default_factory=lambda: [[]])
    open: list[Node] = field(default_factory=list)
    begun: bool = False
    """The page at hand has a mark."""
    silent: int = 0


def tag_canvas(canvas: Canvas, tags: Tags) -> None:
    """What is drawn on this canvas is marked."""
    drawn_on: Any = canvas
    drawn_on.overseer_tags = tags


@contextmanager
def part(canvas: Canvas, role: Role, *within: Within, alt: str = "") -> Iterator[None]:
    """What is drawn in this block is a part of its own; ``alt`` says in words what a figure shows."""
    tags: Tags | None = getattr(canvas, "overseer_tags", None)
    if tags is None or tags.silent:
        yield
        return
    parent = tags.whole
    for level, key in enumerate(within):
        path = within[: level + 1]
        found = tags.keyed.get(path)
        if found is None:
            found = tags.keyed[path] = Node(key[0], parent)
            parent.kids.append(found)
        parent = found
    _close(canvas, tags)
    tags.open.append(Node(role, parent, alt))
    _begin(canvas, tags)
    yield
    _close(canvas, tags)
    tags.open.pop()
    _begin(canvas, tags)


def is_open(canvas: Canvas) -> bool:
    """Whether what is drawn now is in a part already."""
    tags: Tags | None = getattr(canvas, "overseer_tags", None)
    return bool(tags and (tags.open or tags.silent))


@contextmanager
def silence(tags: Tags) -> Iterator[None]:
    """What is drawn in this block goes into a form: it is marked where the form is used."""
    tags.silent += 1
    yield
    tags.silent -= 1


def end_page(canvas: Canvas, tags: Tags) -> None:
    """The page is drawn: close what is open on it."""
    _close(canvas, tags)
    tags.begun = False
    tags.pages.append([])


def _written(canvas: Canvas) -> list[str]:
    # ReportLab has a public way to add to what was written, and none to begin it or to look at its end.
    written: list[str] = vars(canvas)["_code"]
    return written


def _mark(tags: Tags, node: Node) -> str:
    if node.role == "Artifact":
        return "/Artifact BMC"
    marks = tags.pages[-1]
    if node.parent and not node.kids:
        node.parent.kids.append(node)
    node.kids.append((len(tags.pages) - 1, len(marks)))
    marks.append(node)
    return f"/{node.role} <</MCID {len(marks) - 1}>> BDC"


def _begin(canvas: Canvas, tags: Tags) -> None:
    _written(canvas).append(_mark(tags, tags.open[-1] if tags.open else Node("P", tags.whole)))


def _close(canvas: Canvas, tags: Tags) -> None:
    written = _written(canvas)
    if not tags.begun:
        tags.begun = True
        if written:
            written.insert(0, _mark(tags, Node("P", tags.whole)))
            written.append("EMC")
    elif written[-1] == "/Artifact BMC":
        written.pop()
    elif written[-1].endswith(f"<</MCID {len(tags.pages[-1]) - 1}>> BDC"):
        written.pop()  # nothing was drawn in it
        empty = tags.pages[-1].pop()
        empty.kids.pop()
        if not empty.kids and empty.parent:
            empty.parent.kids.remove(empty)
    else:
        written.append("EMC")


def put_structure(canvas: Canvas, tags: Tags) -> None:
    """Give the document its structure, once all of its pages are drawn."""
    document: Any = vars(canvas)["_doc"]
    pages = [document.Reference(page) for page in document.Pages.pages]
    numbers = {tags.whole: 0}

    def number(node: Node) -> PDFObjectReference:
        return PDFObjectReference(f"structure.{numbers.setdefault(node, len(numbers))}")

    def put(node: Node) -> None:
        marks = [kid for kid in node.kids if isinstance(kid, tuple)]
        page = marks[0][0] if marks else 0
        entries: dict[str, object] = {
            "Type": PDFName("StructElem"), "S": PDFName(node.role),
            "P": number(node.parent) if node.parent else PDFObjectReference("structure"),
            "K": PDFArray([
                number(kid) if isinstance(kid, Node) else kid[1] if kid[0] == page else PDFDictionary(
                    {"Type": PDFName("MCR"), "Pg": pages[kid[0]], "MCID": kid[1]}
                ) for kid in node.kids
            ]),
        }  # fmt: skip
        if marks:
            entries["Pg"] = pages[page]
        if node.alt:
            entries["Alt"] = PDFString(node.alt)
        if node.role == "TH":
            entries["A"] = "<</O/Table/Scope/Column>>"
        document.Reference(PDFDictionary(entries), number(node).name)
        for kid in node.kids:
            if isinstance(kid, Node):
                put(kid)

    put(tags.whole)
    parents: list[object] = []
    for place, page in enumerate(document.Pages.pages):
        parents += [place, PDFArray([number(node) for node in tags.pages[place]])]
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents"]
        page.StructParents = place
    root = {
        "Type": PDFName("StructTreeRoot"),
        "K": number(tags.whole),
        "ParentTree": PDFDictionary({"Nums": PDFArray(parents)}),
        "ParentTreeNextKey": len(document.Pages.pages),
    }
    document.Catalog.StructTreeRoot = document.Reference(PDFDictionary(root), "structure")
    document.Catalog.MarkInfo = PDFDictionary({"Marked": "true"})
