"""No word of a template is outside its texts, also in branches that no page of a test shows."""

import re
from collections.abc import Iterator

import pytest
from jinja2 import Environment, nodes

from tests.kit import sources
from tests.kit.promises import ROOT

PAGES = [path for path in sources.TEMPLATES if path.endswith(".html")]
SYNTAX = Environment(extensions=["jinja2.ext.i18n"], trim_blocks=True, lstrip_blocks=True, autoescape=True)
READ_ALOUD = ("aria-label", "title", "placeholder", "alt", "data-label", "data-question")
"""Attributes that people see or hear."""
THE_SAME = re.compile(r"\b(Overseer|CSV|SHA-256|pairings\.json)\b|&\w+;")
"""Names that no language translates."""
SWITCH = re.compile(r" (open|checked|disabled|hidden|selected)")
"""An attribute without a value, written by a macro."""
WORD = re.compile(r"[A-Za-z]{2,}")
CODE = re.compile(r"<(script|style|code)\b.*?</\1>", re.DOTALL)
ATTRIBUTE = re.compile(r'\s([\w:-]+)="([^"]*)"?')
TAG = re.compile(r"<[^>]*(>|$)")


def parts(node: nodes.Node) -> Iterator[nodes.Expr]:
    """What a template writes, in its order: plain text and expressions."""
    for child in node.iter_child_nodes():
        if isinstance(child, nodes.Output):
            yield from child.nodes
        elif not (isinstance(child, nodes.Block) and child.name == "body_class"):
            yield from parts(child)


def written(shown: nodes.Expr | None) -> Iterator[str]:
    """The strings that an expression may put on the page as they are."""
    match shown:
        case nodes.Const(value=str(text)):
            yield text
        case nodes.CondExpr():
            yield from written(shown.expr1)
            yield from written(shown.expr2)
        case nodes.Or() | nodes.And():
            yield from written(shown.left)
            yield from written(shown.right)
        case nodes.Concat():
            for node in shown.nodes:
                yield from written(node)


def attribute_open(before: str) -> str | None:
    """The attribute whose value is being written; "" elsewhere in a tag, None in text."""
    last = before.rfind("<")
    if last <= before.rfind(">"):
        return None
    named = re.search(r'([\w:-]+)="[^"]*$', before[last:])
    return named[1] if named else ""


def bare_words(template: str) -> list[str]:
    found, before = list[str](), ""
    for part in parts(SYNTAX.parse(template)):
        attribute = attribute_open(before)
        if isinstance(part, nodes.TemplateData):
            text = part.data if attribute is None else part.data.partition(">")[2]
            text = CODE.sub("", text)
            found += [value for name, value in ATTRIBUTE.findall(text) if name in READ_ALOUD]
            found.append(TAG.sub(" ", ATTRIBUTE.sub(" ", text)))
            before += part.data
        elif attribute is None or attribute in READ_ALOUD:
            found += [text for text in written(part) if not SWITCH.fullmatch(text)]
    return [" ".join(text.split()) for text in found if WORD.search(THE_SAME.sub("", text))]


def test_each_word_can_be_translated() -> None:
    assert len(PAGES) > 200
    found = {path: bare_words((ROOT / path).read_text(encoding="utf-8")) for path in PAGES}
    assert {path: words for path, words in found.items() if words} == {}


@pytest.mark.parametrize(
    "template",
    [
        "<p>Plain</p>",
        '<p title="Plain">{{ name }}</p>',
        "<p>{{ table or 'bye' }}</p>",
        '<a class="big" title="{{ "up" if value else mark }}"></a>',
        "{% macro one() %}<p>{{ name ~ ' bye' }}</p>{% endmacro %}",
    ],
)
def test_a_word_outside_the_texts_is_found(template: str) -> None:
    assert len(bare_words(template)) == 1
