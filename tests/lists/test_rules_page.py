"""The page of a game's rules is made from the data of its checks, and every id leads to its rule."""

from events.web.request import with_figures
from tests.kit.person import Person, words
from validators import SYSTEMS

GAME = SYSTEMS["battle_mode"]
RULES = (*GAME.checks.rules, *GAME.checks.event_rules)


def test_page_has_every_rule_and_edition(visitor: Person) -> None:
    soup = visitor.open("/rules/battle-mode").soup
    listed = [words(link) for link in soup.select(".rule-index li a")]
    assert listed[: len(RULES)] == [f"{rule.id} {rule.title}" for rule in RULES]
    links = [str(link["href"]) for link in soup.select(".rule-index a")]
    assert {f"#{rule.id}" for rule in RULES} | {f"#edition-{e.id}" for e in GAME.editions} <= set(links)
    parts = {link: soup.find_all(id=link.removeprefix("#")) for link in links}
    assert all(len(found) == 1 for found in parts.values())
    for rule in RULES:
        text = " ".join(parts[f"#{rule.id}"][0].get_text().split())
        assert not [part for part in (rule.id, rule.title, rule.text, rule.source) if part not in text], rule.id
    for edition in GAME.editions:
        text = words(parts[f"#edition-{edition.id}"][0])
        for part in (edition.name, edition.date, edition.source, *edition.factions, *edition.notes):
            assert part in text
    added = [str(part["id"]) for part in soup.select("#may-add .rule-entry")]
    assert added == [rule.id for rule in GAME.checks.event_rules], "in a part of their own"
    figures = [words(figure) for figure in parts["#bm.heavy"][0].select("b.num")]
    assert figures == ["500", "750", "1000", "250", "500"]


def test_whole_numbers_are_marked_as_figures() -> None:
    for text, shown in (
        ("Take 60 Caps.", "Take <b class='num'>60</b> Caps."),
        ("12, 3 × <b>5</b>", "<b class='num'>12</b>, <b class='num'>3 ×</b> &lt;b&gt;<b class='num'>5</b>&lt;/b&gt;"),
        ("X6-88, .44 Revolver, T-51, 10mm & 1.5", "X6-88, .44 Revolver, T-51, 10mm &amp; 1.5"),
        ("", ""),
    ):
        assert with_figures(text) == shown
