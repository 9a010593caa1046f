"""The files of a round pack: its README, and the event's pages as files that work without a server.

Pages are parsed with Python's own HTML parser; parts to keep are copied unchanged.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urldefrag, urlencode, urljoin, urlsplit

from models.event import Event

README = """{event}, round {number}
{line}
As of {made}.

What is here
  {paper}
      Everything for the tables: pairings by name and by table, the plan of the
      day, the scenarios, how each table is set up, a scoresheet for each table,
      and the standings so far. Print it now, while you have a printer.
  pages/index.html
      The event's public pages as they were. Open them in any browser, without
      network. They no longer change.
  csv/
      Players, pairings, results and standings for a spreadsheet (UTF-8).
{archive}
If the server stops, play on
  1. Hand out the scoresheets. Both players fill in and sign; one sheet a game.
  2. Keep every sheet. The results on paper are what counts.
  3. To pair the next round by hand: sort csv/standings by tournament points,
     add this round, and pair from the top players who have not met.
     Better: bring the event back first, and let Overseer draw.

When you have a machine again
{back}
"""
WITH_ARCHIVE = """  {archive}
      The whole event, secret lists included. Keep it safe
      and do not share it: another machine can continue the event from it.
"""
BACK = """  1. Start Overseer with an empty database, on any machine, and sign in.
  2. Your events, "Import event", and choose {archive}.
     (In a shell: overseer archive-in {archive})
  3. Desk, Results, "Enter from paper": type the table or the code of each
     sheet, then its figures. The codes on the paper are still valid.
  4. When all are in, the round is complete: draw the next one. It is
     the same draw as on the old machine.
  5. Players get new private links: print the badges again, or
     continue on paper.
"""
WITHOUT = """  The event's archive is not in this pack, because the pack was not made by the
  event's owner. Ask the owner for their own pack, or for the archive: print
  room, "Without this server".
"""


def readme(event: Event, number: int, made: str, paper: str, archive: str) -> str:
    """The pack's README.txt; ``archive`` is the archive's file name, "" if the pack has none."""
    title = f"{event.name}, round {number}"
    filled = README.format(
        event=event.name,
        number=number,
        line="=" * len(title),
        made=made,
        paper=paper,
        archive=WITH_ARCHIVE.format(archive=archive) if archive else "",
        back=(BACK.format(archive=archive) if archive else WITHOUT).rstrip("\n"),
    )
    return filled.replace("\n", "\r\n")


LEFT_OUT = frozenset({"script", "form", "template"})
"""Elements left out with their content, because they do nothing in a file."""
OF_A_SERVER = frozenset({"manifest", "icon", "apple-touch-icon"})
"""Links of a page's head that are left out."""

Attributes = list[tuple[str, str | None]]


def file_of(address: str, root: str) -> str:
    """The file name of an address below ``root`` or outside of it, such as "round-1-order-name.html"."""
    parts = urlsplit(address)
    path = parts.path.removeprefix(root).strip("/") or "index"
    path = re.sub(r"^rounds/", "round-", re.sub(r"^players/", "player-", re.sub(r"^scenarios/", "scenario-", path)))
    query = "-".join(part for pair in parse_qsl(parts.query) for part in pair)
    return re.sub(r"[^a-z0-9]+", "-", f"{path}-{query}".lower()).strip("-") + ".html"


def normal(address: str) -> str:
    """An address without its fragment, with its query sorted."""
    parts = urlsplit(urldefrag(address).url)
    query = urlencode(sorted(parse_qsl(parts.query)))
    return parts.path + (f"?{query}" if query else "")


@dataclass(frozen=True)
class Link:
    """An element with an address, written once the files are known."""

    tag: str
    attributes: tuple[tuple[str, str | None], ...]
    end: str
    """The end of the tag: ">" or "/>"."""


@dataclass(frozen=True)
class ReadPage:
    """A page of the application, read once."""

    address: str
    pieces: tuple[str | Link, ...]
    """The parts that stay, in order."""

    @property
    def links(self) -> list[str]:
        """The application's own addresses that the page links to, each once, in order."""
        found = (
            urljoin(self.address, value)
            for piece in self.pieces
            if isinstance(piece, Link) and piece.tag == "a"
            for name, value in piece.attributes
            if name == "href" and value is not None
        )
        return list(dict.fromkeys(normal(one) for one in found if not _is_elsewhere(one)))


def read_page(page: str, address: str) -> ReadPage:
    """Parse the page of this address, without the parts that need a server."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return ReadPage(address, tuple(reader.out))


def as_file(page: ReadPage, files: Mapping[str, str], server: str, notice: str) -> str:
    """A page as a file of the folder.

    ``files`` are the names of the files by their addresses, ``server`` is the root of all others, such as
    "https://desk.example.org/". ``notice`` is HTML shown at the top of the page.
    """

    def put(name: str, value: str | None) -> str | None:
        if name not in ("href", "src") or value is None or value.startswith("#"):
            return value
        whole = urljoin(page.address, value)
        if _is_elsewhere(whole):
            return value
        fragment = urldefrag(whole).fragment
        file = files.get(normal(whole))
        if file is None:
            return urljoin(server, whole.lstrip("/"))
        return file + (f"#{fragment}" if fragment else "")

    return "".join(_written(piece, put) if isinstance(piece, Link) else piece or notice for piece in page.pieces)


def _written(link: Link, put: Callable[[str, str | None], str | None]) -> str:
    attributes = ((name, put(name, value)) for name, value in link.attributes)
    words = "".join(f" {name}" if value is None else f' {name}="{escape(value)}"' for name, value in attributes)
    return f"<{link.tag}{words}{link.end}"


def _is_elsewhere(address: str) -> bool:
    parts = urlsplit(address)
    return bool(parts.netloc or parts.scheme)


class _Reader(HTMLParser):
    """Collects the parts of a page to keep; an empty part marks the place for the note that the file is a copy."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.out: list[str | Link] = []
        self.inside: list[str] = []
        """The elements that are being left out."""

    def handle_starttag(self, tag: str, attrs: Attributes, end: str = ">") -> None:
        """Handle an element's start tag, if the element is kept."""
        given = dict(attrs)
        live = not self.inside and "round-clock" in (given.get("class") or "").split()
        if end == ">" and (live or tag in (self.inside[-1:] or LEFT_OUT)):
            self.inside.append(tag)
        if self.inside or _is_of_a_server(tag, given):
            return
        kept = tuple((name, value) for name, value in attrs if not name.startswith("data-"))
        if "href" in given or "src" in given or len(kept) < len(attrs):
            self.out.append(Link(tag, kept, end))
        else:
            self.out.append(self.get_starttag_text() or "")
        if tag == "main":
            self.out.append("")

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        """Handle an element without content, as in drawings."""
        self.handle_starttag(tag, attrs, "/>")

    def handle_endtag(self, tag: str) -> None:
        """Handle an element's end tag."""
        if not self.inside:
            self.out.append(f"</{tag}>")
        elif tag == self.inside[-1]:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        """Keep text unchanged."""
        self._take(data)

    def handle_entityref(self, name: str) -> None:
        """Keep a named character reference unchanged."""
        self._take(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """Keep a numeric character reference unchanged."""
        self._take(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        """Keep the doctype."""
        self._take(f"<!{decl}>")

    def _take(self, text: str) -> None:
        if not self.inside and text:
            self.out.append(text)


def _is_of_a_server(tag: str, attrs: Mapping[str, str | None]) -> bool:
    if tag == "meta":
        return attrs.get("name") in ("live", "offline-for", "players")
    return tag == "link" and attrs.get("rel") in OF_A_SERVER
