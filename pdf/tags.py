"""The structure tree of a PDF for screen readers: headings, paragraphs, tables, lists and figures with alt texts.

ReportLab leaves this (ISO 32000-1, 14.7 and 14.8) to its callers. Content outside of any `part` becomes a paragraph,
and an "Artifact" is skipped by screen readers. Nothing is tagged on a canvas without tags or inside a shared form: tag
the place where the form is used.
"""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Literal

from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFObjectReference, PDFString
from reportlab.pdfgen.canvas import Canvas

Role = Literal["Document", "H1", "H2", "H3", "P", "Table", "TR", "TH", "TD", "L", "LI", "LBody", "Figure", "Artifact"]
Within = tuple[Role, Hashable]
"""The role of an enclosing element and a key for it; a table that continues over pages keeps its key."""


LOWER: dict[Role, Role] = {"H1": "H2", "H2": "H3"}


@dataclass(eq=False)
class Node:
    """A structure element: its role, and its children, which are elements or marks (page index, mark number)."""

    role: Role
    parent: "Node | None" = None
    alt: str = ""
    children: list["Node | tuple[int, int]"] = field(default_factory=list)


@dataclass(eq=False)
class Tags:
    """The structure of a document: elements by key, elements by the marks of each page, and the elements now open."""

    root: Node = field(default_factory=lambda: Node("Document"))
    by_key: dict[Hashable, Node] = field(default_factory=dict)
    pages: list[list[Node]] = field(default_factory=lambda: [[]])
    open: list[Node] = field(default_factory=list)
    silenced: int = 0
    titled: bool = False
    """Whether the document has its only H1."""
    lowered: bool = False
    """Whether the last title was an H2, so that headings below it are H3."""


UNTAGGED = Tags(silenced=1)


def _tags(canvas: Canvas) -> Tags:
    tags: Tags = getattr(canvas, "overseer_tags", UNTAGGED)
    return tags


def tag_canvas(canvas: Canvas) -> None:
    untyped: Any = canvas
    untyped.overseer_tags = Tags()
    _begin(canvas)


@contextmanager
def part(canvas: Canvas, role: Role, *within: Within, alt: str = "") -> Iterator[None]:
    """Tag the content drawn in this block as an element of its own, inside the elements ``within``.

    ``alt`` describes a figure. Only the first "H1" of a document is one: later ones become H2, and headings below them
    H3. A heading inside an element is a part of it.
    """
    tags = _tags(canvas)
    if tags.silenced or (tags.open and role in ("H1", "H2")):
        yield
        return
    if role == "H1":
        tags.lowered, tags.titled = tags.titled, True
    role = LOWER.get(role, role) if tags.lowered else role
    parent = tags.root
    for path in accumulate((key,) for key in within):
        if path not in tags.by_key:
            tags.by_key[path] = Node(path[-1][0], parent)
            parent.children.append(tags.by_key[path])
        parent = tags.by_key[path]
    _close(canvas)
    tags.open.append(Node(role, parent, alt))
    _begin(canvas)
    yield
    _close(canvas)
    tags.open.pop()
    _begin(canvas)


def title_role(canvas: Canvas) -> Role:
    """The role of a text that each sheet of a document repeats: its H1 the first time, then a paragraph."""
    return "P" if _tags(canvas).titled else "H1"


@contextmanager
def afresh(canvas: Canvas) -> Iterator[None]:
    """Draw the content of this block again with elements of its own: it does not continue lists drawn before."""
    tags = _tags(canvas)
    known, tags.by_key = tags.by_key, {}
    yield
    tags.by_key = known


@contextmanager
def silence(canvas: Canvas) -> Iterator[None]:
    """Draw the content of this block untagged, because it goes into a form that is tagged where it is used."""
    _tags(canvas).silenced += 1
    yield
    _tags(canvas).silenced -= 1


def turn_page(canvas: Canvas) -> None:
    _close(canvas)
    canvas.showPage()
    _tags(canvas).pages.append([])
    _begin(canvas)


def _page_code(canvas: Canvas) -> list[str]:
    # ReportLab can publicly append to the page's code, but neither insert at its start nor read its end.
    code: list[str] = vars(canvas)["_code"]
    return code


def _begin(canvas: Canvas) -> None:
    tags = _tags(canvas)
    node, marks = tags.open[-1] if tags.open else Node("P", tags.root), tags.pages[-1]
    if node.role == "Artifact":
        _page_code(canvas).append("/Artifact BMC")
        return
    if node.parent and not node.children:
        node.parent.children.append(node)
    node.children.append((len(tags.pages) - 1, len(marks)))
    _page_code(canvas).append(f"/{node.role} <</MCID {len(marks)}>> BDC")
    marks.append(node)


def _close(canvas: Canvas) -> None:
    code, marks = _page_code(canvas), _tags(canvas).pages[-1]
    if code[-1] == "/Artifact BMC":
        code.pop()
    elif code[-1].endswith(f"<</MCID {len(marks) - 1}>> BDC"):
        code.pop()  # an empty mark
        empty = marks.pop()
        empty.children.pop()
        if not empty.children and empty.parent:
            empty.parent.children.remove(empty)
    else:
        code.append("EMC")


def put_structure(canvas: Canvas) -> None:
    """Write the structure tree into the document, after its last page is drawn."""
    tags = _tags(canvas)
    _close(canvas)
    document: Any = vars(canvas)["_doc"]
    pages = [document.Reference(page) for page in document.Pages.pages]
    numbers = {tags.root: 0}

    def number(node: Node) -> PDFObjectReference:
        return PDFObjectReference(f"structure.{numbers.setdefault(node, len(numbers))}")

    def write(node: Node) -> None:
        marks = [child for child in node.children if isinstance(child, tuple)]
        page = marks[0][0] if marks else 0
        entries: dict[str, object] = {
            "Type": PDFName("StructElem"), "S": PDFName(node.role),
            "P": number(node.parent) if node.parent else PDFObjectReference("structure"),
            "K": PDFArray([
                number(child) if isinstance(child, Node) else child[1] if child[0] == page else PDFDictionary(
                    {"Type": PDFName("MCR"), "Pg": pages[child[0]], "MCID": child[1]}
                ) for child in node.children
            ]),
        }  # fmt: skip
        if marks:
            entries["Pg"] = pages[page]
        if node.alt:
            entries["Alt"] = PDFString(node.alt)
        if node.role == "TH":
            entries["A"] = "<</O/Table/Scope/Column>>"
        document.Reference(PDFDictionary(entries), number(node).name)
        for child in node.children:
            if isinstance(child, Node):
                write(child)

    write(tags.root)
    parents: list[object] = []
    for index, page in enumerate(document.Pages.pages):
        parents += [index, PDFArray([number(node) for node in tags.pages[index]])]
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents"]
        page.StructParents = index
    tree_root = {
        "Type": PDFName("StructTreeRoot"),
        "K": number(tags.root),
        "ParentTree": PDFDictionary({"Nums": PDFArray(parents)}),
        "ParentTreeNextKey": len(document.Pages.pages),
    }
    document.Catalog.StructTreeRoot = document.Reference(PDFDictionary(tree_root), "structure")
    document.Catalog.MarkInfo = PDFDictionary({"Marked": "true"})
