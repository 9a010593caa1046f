"""Mark-up as the name of everything that people name, on every page that anybody can open: text, and nothing else."""

import re
from collections.abc import Iterable, Iterator
from itertools import count, cycle

import pytest
from bs4 import BeautifulSoup, Tag
from flask import Flask

from tests.kit.every_page import addresses, made
from tests.kit.person import Person
from tests.kit.stage import PASSWORD, Stage

TAG = "x27"
"""No page has such a tag or attribute of its own."""
MARKUP = (
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
"""Stands in every name: where it is not isolated it turns the figures after it round."""
ISOLATED = {"bdi", "title", "option", "optgroup", "textarea"}
"""Where a name is isolated, or stands alone because the page cannot hold more than text there."""
NEVER = ("iframe", "base", "object", "embed", "math", "style")
LEADS = ("href", "src", "action", "formaction", "data", "poster")


def hostile() -> Iterator[str]:
    """Names without end, all of them different."""
    number = count(1)
    for text in cycle(MARKUP):
        yield f"{text} {RIGHT_TO_LEFT} {next(number)}"


def live(soup: BeautifulSoup) -> Iterator[str]:
    """What in a page was typed by somebody and is more than text."""
    for tag in soup.find_all(True):
        if TAG in tag.name or tag.name in NEVER or (tag.name == "script" and (not tag.get("src") or tag.get_text())):
            yield f"<{tag.name}>"
        for name, value in tag.attrs.items():
            if TAG in name or name.startswith("on") or name in ("style", "srcdoc") or refreshes(tag):
                yield f"{tag.name} {name}"
            if name in LEADS and re.match(r"[a-z][a-z0-9+.-]*:|//", re.sub(r"\s", "", str(value)).lower()):
                yield f"{tag.name} {name}={value}"


def refreshes(tag: Tag) -> bool:
    """Whether it reloads without end, or leads away at once; the hall turns its pages by its own, slower one."""
    return tag.name == "meta" and tag.get("http-equiv") is not None and tag.get("content") == "0"


def turning(soup: BeautifulSoup, names: set[str]) -> Iterator[str]:
    """Names of a foreign direction that stand by themselves and are not isolated from what is around them."""
    for text in soup.find_all(string=re.compile(RIGHT_TO_LEFT)):
        around = list(text.parents)
        if str(text).strip() in names and not any(tag.name in ISOLATED for tag in around):
            yield f"<{around[0].name}> in <{around[1].name}>: {str(text).strip()[:90]}"


@pytest.mark.proves(
    "attack 27", "attack 28", "attack 29", "ASVS 1.2.1", "ASVS 1.2.2", "ASVS 1.2.3", "ASVS 1.3.1", "ASVS 1.3.7"
)
def test_everything_that_people_name_is_text_on_every_page(app: Flask, stage: Stage) -> None:
    names = hostile()
    used: set[str] = set()

    def called(usual: str) -> str:
        used.add(name := next(names))
        return name

    events = made(stage, called)
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
        assert "x27x27" not in answer.text, f"{address} worked out a template"
        shown += RIGHT_TO_LEFT in answer.text
        page = BeautifulSoup(answer.text, "html.parser")
        for what in (*live(page), *turning(page, used)):
            wrong.setdefault(what, address)
    assert wrong == {}
    assert shown > 60


def one_each(found: Iterable[tuple[str, str]], slugs: set[str]) -> list[str]:
    """An address of each endpoint, for each of these events where it belongs to one."""
    kept: dict[tuple[str, str], str] = {}
    for endpoint, address in found:
        of = address.split("/")[2] if address.startswith("/e/") else ""
        if of in slugs or not of:
            kept.setdefault((endpoint, of), address)
    return list(kept.values())


@pytest.mark.parametrize("text", [text for text in MARKUP[:27] if not text.startswith(("</", "`"))])
def test_live_mark_up_is_noticed(text: str) -> None:
    """The control: each of these would be seen if a page let it through."""
    page = f"<title>{text}</title><p>{text}</p><input value=\"{text}\"><input value='{text}'>"
    assert list(live(BeautifulSoup(page, "html.parser")))


def test_a_turning_name_is_noticed() -> None:
    name = f"1 {RIGHT_TO_LEFT} 2"
    assert list(turning(BeautifulSoup(f"<p>{name}</p>", "html.parser"), {name}))
    assert not list(turning(BeautifulSoup(f"<p><bdi>{name}</bdi></p>", "html.parser"), {name}))
