"""The page of a game's rules: made of the checks' own data, every id leads to its rule."""

import pytest
from bs4 import Tag

from events.web.request import with_figures
from tests.kit.person import Person, words
from validators import SYSTEMS

GAME = SYSTEMS["battle_mode"]
RULES = (*GAME.rules, *GAME.event_rules)


def entry(person: Person, id_: str) -> Tag:
    """The part of the page that an address ending in this id leads to."""
    found = person.open("/rules/battle-mode").soup.find_all(id=id_)
    assert len(found) == 1
    assert isinstance(found[0], Tag)
    return found[0]


def test_the_index_leads_to_every_rule_in_order(visitor: Person) -> None:
    soup = visitor.open("/rules/battle-mode").soup
    listed = [words(link) for link in soup.select(".rule-index li a")]
    assert listed[: len(RULES)] == [f"{rule.id} {rule.title}" for rule in RULES]
    links = [str(link["href"]) for link in soup.select(".rule-index a")]
    assert {f"#{rule.id}" for rule in RULES} | {f"#edition-{e.id}" for e in GAME.editions} <= set(links)
    for link in links:
        assert len(soup.find_all(id=link.removeprefix("#"))) == 1, link


def test_every_rule_is_whole(visitor: Person) -> None:
    for rule in RULES:
        said = " ".join(entry(visitor, rule.id).get_text().split())
        for part in (rule.id, rule.title, rule.text, rule.source):
            assert part in said, rule.id


def test_what_an_event_may_add_stands_apart(visitor: Person) -> None:
    apart = entry(visitor, "may-add")
    assert [str(part["id"]) for part in apart.select(".rule-entry")] == [rule.id for rule in GAME.event_rules]


def test_the_editions_are_listed_with_their_source(visitor: Person) -> None:
    for edition in GAME.editions:
        said = words(entry(visitor, f"edition-{edition.id}"))
        for part in (edition.name, edition.date, edition.source, *edition.factions, *edition.notes):
            assert part in said


def test_figures_stand_out(visitor: Person) -> None:
    assert [words(figure) for figure in entry(visitor, "bm.heavy").select("b.num")] == [
        "500",
        "750",
        "1000",
        "250",
        "500",
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Take 60 Caps.", "Take <b class='num'>60</b> Caps."),
        ("12, 3 × <b>5</b>", "<b class='num'>12</b>, <b class='num'>3 ×</b> &lt;b&gt;<b class='num'>5</b>&lt;/b&gt;"),
        ("X6-88, .44 Revolver, T-51, 10mm & 1.5", "X6-88, .44 Revolver, T-51, 10mm &amp; 1.5"),
        ("none", "none"),
        ("", ""),
    ],
)
def test_a_figure_is_a_whole_number_on_its_own(text: str, shown: str) -> None:
    assert with_figures(text) == shown
