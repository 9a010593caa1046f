"""Invalid text is rejected at its field or shown exactly as entered; mark-up in names is shown as text on every
page.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import count, cycle

import pytest
from bs4 import BeautifulSoup, Tag
from flask import Flask

from models.event import Event
from models.play import Player
from tests.kit.every_page import addresses, made
from tests.kit.person import Person
from tests.kit.stage import PASSWORD, Stage

REGISTER = "/e/iron-open/register"
UNPRINTABLE = ("Ada\x00Lovelace", "\x1b[31mAda", "Ada \u202eeca\u202c")
TOO_LONG = ("x" * 10_000, "🤖" * 10_000, "x" * 81)
INVISIBLE = ("", "   \t ", "\u200b\u200d\u2060", "\u3000\u00a0", "\u3164\u2800\uffa0", "\u200f\u200e")
BREAKS = ("\n", "\r\n", "\t", "\x85", "\u2028", "\u2029", "\x1f", "\u3000")


@pytest.mark.proves("attack 41", "ASVS 1.3.3")
@pytest.mark.both_databases
def test_unprintable_long_or_invisible_text_is_refused_at_its_field(
    visitor: Person, stage: Stage, event: Event
) -> None:
    visitor.open(REGISTER)
    form, before = visitor.page, stage.digest()
    for name in (*UNPRINTABLE, *TOO_LONG, *INVISIBLE):
        visitor.page = form
        page = visitor.press("Register", name=name, club="Reds")
        assert (page.status, page.value("club")) == (422, "Reds"), name[:20]
        assert page.error_at("name") and page.errors, name[:20]
    for club in (*UNPRINTABLE, TOO_LONG[0]):
        visitor.page = form
        page = visitor.press("Register", name="Ada", club=club)
        assert (page.status, bool(page.error_at("club")), page.value("name")) == (422, True, "Ada"), club[:20]
    assert stage.digest() == before


def test_line_breaks_in_a_name_become_spaces(visitor: Person, stage: Stage, event: Event) -> None:
    visitor.open(REGISTER)
    inner = "".join(f"{one}{one}{n}" for n, one in enumerate(BREAKS))
    visitor.press("Register", name=f"{BREAKS[0]}Ada{inner}{BREAKS[-1]}")
    assert stage.one(Player).name == "Ada 0 1 2 3 4 5 6 7"


TAG = "x27"
"""No page has this tag or attribute itself."""
HOSTILE = (
    f"<{TAG}>", f"<{TAG} onload={TAG}()>", f"</title><{TAG}>", f"</textarea><{TAG}>", f"</script><{TAG}>",
    f"--><{TAG}>",
    f"]]><{TAG}>", f'"><{TAG}>', f"'><{TAG}>", f'" onfocus={TAG}() x="', f"' onfocus={TAG}() x='",
    f"` onfocus={TAG}() x=`",
    f"</option></select><{TAG}>", f"</bdi></a><{TAG}>", f"</style><{TAG}>", f"</noscript><{TAG}>", f"</svg><{TAG}>",
    "<script>x27()</script>", "<img src=x onerror=x27()>", "<svg/onload=x27()>", "<svg><script>x27()</script></svg>",
    "<math><x27>", "<iframe srcdoc=x27>", "<base href=//x27>", "<meta http-equiv=refresh content=0>",
    "<form action=//x27>",
    "<a href=javascript:x27()>x</a>", "javascript:x27()", "JaVaScRiPt:x27()", "data:text/html,x27", "vbscript:x27()",
    "&lt;x27&gt;", "&#60;x27&#62;", "&#x3c;x27&#x3e;", "&amp;lt;x27&amp;gt;", "\\x3cx27\\x3e", "\\u003cx27\\u003e",
    "%3Cx27%3E", "+ADw-x27+AD4-", "＜x27＞", "<<x27>>", "<x27/<x27>", "<\u2060x27>", "<x27\u3000onload=x27()>",
    "{{'x27'*9}}", "{% raw %}x27", "${x27()}", "#{x27()}", "{x27.__class__}", "%(x27)s", "%n%s x27", "<%= x27() %>",
    "x27'; DROP TABLE player; --", 'x27" OR 1=1', "x27*/", "/*x27", "//x27", "<!--x27", "<?x27", "<!DOCTYPE x27>",
    "[x27](javascript:x27())", "![x27](//x27/x27)",
)  # fmt: skip
RIGHT_TO_LEFT = "שלום"
"""Part of every name: unless it is isolated, it reverses the figures after it."""
ISOLATED = {"bdi", "title", "option", "optgroup", "textarea"}
"""Elements that isolate a name, or can hold nothing but text."""
NEVER = ("iframe", "base", "object", "embed", "math", "style")
MAIL = re.compile(r"mailto:\?subject=[\w%./-]*&body=[\w%./-]*")
"""A mail that the reader may send: every character of a name that means something in an address is encoded."""
LEADS = ("href", "src", "action", "formaction", "data", "poster")


def hostile() -> Iterator[str]:
    """An endless sequence of different hostile names."""
    number = count(1)
    for text in cycle(HOSTILE):
        yield f"{text} {RIGHT_TO_LEFT} {next(number)}"


def live(soup: BeautifulSoup) -> Iterator[str]:
    """The parts of a page that contain user input as mark-up."""
    for tag in soup.find_all(True):
        if TAG in tag.name or tag.name in NEVER or (tag.name == "script" and (not tag.get("src") or tag.get_text())):
            yield f"<{tag.name}>"
        for name, value in tag.attrs.items():
            if TAG in name or name.startswith("on") or name in ("style", "srcdoc") or refreshes(tag):
                yield f"{tag.name} {name}"
            address = "" if MAIL.fullmatch(str(value)) else re.sub(r"\s", "", str(value)).lower()
            if name in LEADS and re.match(r"[a-z][a-z0-9+.-]*:|//", address):
                yield f"{tag.name} {name}={value}"


def refreshes(tag: Tag) -> bool:
    """Whether the page reloads at once; the projector's own refresh is slower."""
    return tag.name == "meta" and tag.get("http-equiv") is not None and tag.get("content") == "0"


def turning(soup: BeautifulSoup, names: set[str]) -> Iterator[str]:
    """Right-to-left names that are not isolated from the surrounding text."""
    for text in soup.find_all(string=re.compile(RIGHT_TO_LEFT)):
        around = list(text.parents)
        if str(text).strip() in names and not any(tag.name in ISOLATED for tag in around):
            yield f"<{around[0].name}> in <{around[1].name}>: {str(text).strip()[:90]}"


@pytest.mark.proves(
    "attack 27", "attack 28", "attack 29", "ASVS 1.2.1", "ASVS 1.2.2", "ASVS 1.2.3", "ASVS 1.3.1", "ASVS 1.3.7"
)
def test_every_name_is_text_on_every_page(app: Flask, stage: Stage) -> None:
    names = hostile()
    used: set[str] = set()

    def called(usual: str) -> str:
        used.add(name := next(names))
        return name

    events = made(stage, called)
    for event in events:
        with stage.changing(event):
            event.description = next(names)
    owner = Person(app)
    owner.open("/sign-in")
    owner.press("Sign in", name="owner", password=PASSWORD)
    wrong: dict[str, str] = {}
    shown = 0
    for address in one_each(addresses(app, stage, events), {event.slug for event in events[3:6]}):
        answer = owner.ask("GET", address)
        assert answer.status_code < 500, address
        if answer.status_code != 200 or answer.mimetype != "text/html":
            continue
        assert "x27x27" not in answer.text, f"{address} evaluated a template"
        shown += RIGHT_TO_LEFT in answer.text
        page = BeautifulSoup(answer.text, "html.parser")
        for what in (*live(page), *turning(page, used)):
            wrong.setdefault(what, address)
    assert wrong == {}
    assert shown > 60


def one_each(found: Iterable[tuple[str, str]], slugs: set[str]) -> list[str]:
    """One address for each page, and for each of these events if the page belongs to one."""
    kept: dict[tuple[str, str], str] = {}
    for endpoint, address in found:
        of = address.split("/")[2] if address.startswith("/e/") else ""
        if (of in slugs or not of) and not address.partition("?")[0].endswith((".pdf", ".zip")):
            kept.setdefault((endpoint, of), address)
    return list(kept.values())
