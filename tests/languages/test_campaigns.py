"""Campaigns in the pretend language: no English sentence in steps and groups; what is stored is English."""

import re
from collections.abc import Iterator

import pytest

from events.seasons import campaign_actions as actions
from languages.message import worded
from languages.words import speaking
from models.campaign import CampaignStep
from models.journal import JournalEntry
from models.play import ReportSide
from tests.kit.person import Enter, Page, Person
from tests.kit.pseudo import CODE, offer_pseudo
from tests.kit.stage import Stage
from tests.languages.test_desk import ENGLISH, WORDED, sentences
from tests.seasons.earning import season_of, seeds
from tests.validators import test_fallout_skirmish_random_campaigns as skirmish
from tests.validators import test_fallout_warfare_random_campaigns as warfare
from tests.validators.played_campaigns import Campaign
from validators.fallout_skirmish.campaign.tables import RAW

GAMES = {"skirmish": skirmish.played, "warfare": warfare.played}
PRINTED = re.compile(rf"[\d ]*({'|'.join(entry['objective'] for entry in RAW['objectives']['rows'])})(: )?")
"""Names of objectives, as printed."""
OBJECTIVE = "1 Geomapping with Reilly (Luck)"


def texts(game: Campaign, group: int) -> Iterator[str]:
    """What the newest step says, and what its group may do and has."""
    rules, world, entry = game.rules, game.world, game.history.entries[-1]
    yield from entry.said
    yield from (worded(line.why) for line in entry.lines)
    yield from (worded(roll.why) for roll in entry.step.rolls)
    asks = [*rules.rulings(world, group)]
    for offer in game.offers(group):
        yield from (offer.title, offer.verb, offer.about, offer.dice)
        asks += offer.asks
    for ask in asks:
        yield from (ask.label, ask.help, *(label for value, label in ask.choices if label != value))
    if world.phase(group):
        yield rules.hint(world, group)
        yield from map(worded, rules.doubt(world, group, {"dead": 40, "retreated": 40}))
    for member in rules.members(world.groups[group]):
        yield from (member.rank, member.gone, *member.notes)


def left_english(text: str) -> str:
    while WORDED.search(text):
        text = WORDED.sub("", text)
    return text if ENGLISH.search(text) else ""


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_steps_of_campaigns_are_in_the_readers_language(monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    offer_pseudo(monkeypatch)
    found, kinds, number = set[str](), set[str](), 0
    with speaking(CODE):
        for number, (campaign, _) in enumerate(GAMES[game](1), 1):
            step = campaign.history.entries[-1].step
            if kinds.issuperset({step.kind}) and number % 7:
                continue
            kinds.add(step.kind)
            found |= {left_english(text) for text in texts(campaign, step.group)}
        heads = {label for member in campaign.rules.members(campaign.world.groups[1]) for label, _ in member.figures}
    assert number > 100 and len(kinds) > 7
    kept = [f"{campaign.world}", *(f"{entry}" for entry in campaign.history.entries)]
    assert [text for text in kept if "⟦" in text] == [], "worded for one reader, kept for all"
    assert "Level" not in heads
    assert {text for text in found if text and not PRINTED.fullmatch(text)} == set()


def test_reader_sees_steps_in_the_own_language_and_the_journal_stays_english(
    monkeypatch: pytest.MonkeyPatch, stage: Stage, enter: Enter, visitor: Person
) -> None:
    offer_pseudo(monkeypatch)
    event = stage.event(game="fallout_skirmish", size=500)
    ada, _ = enter(event, "Ada", "Bo")
    season_of(stage, event)
    stage.do(event, actions.found_groups, seeds())
    (game,) = stage.games(event, 1)
    nothing: dict[str, int | str] = {f"{side}.line{number}": 0 for side in "ab" for number in range(1, 6)}
    stage.report(event, game, ReportSide.ORGANISER, nothing | {"a.objective": OBJECTIVE})
    ada.post("/language", language=CODE, back="/")
    ada.post("/e/iron-open/me/campaign/begin")
    page = ada.open("/e/iron-open/me/campaign")
    assert page.soup.select("#offers .offer")
    pressed = page.soup.select_one("#offers button[name=offer]")
    assert pressed and pressed.text.strip().startswith("⟦"), pressed
    for _ in range(12):
        assert sentences(Page(ada.ask("GET", "/e/iron-open/me/campaign"))) == []
        ada.post("/e/iron-open/me/campaign/next", seen=_seen(ada))
    rolls = [roll for row in stage.all(CampaignStep) for roll in row.rolls]
    assert rolls and not any("⟦" in roll["why"] for roll in rolls)
    assert not any("⟦" in one.text for one in stage.all(JournalEntry))
    for address in ("campaign", f"campaign/groups/{game.a_id}", "me/journal"):
        assert sentences(Page(ada.ask("GET", f"/e/iron-open/{address}"))) == []
    in_english = visitor.open(f"/e/iron-open/campaign/groups/{game.a_id}").text
    assert "⟦" not in in_english


def _seen(person: Person) -> str:
    field = Page(person.ask("GET", "/e/iron-open/me/campaign")).soup.select_one("#offers input[name=seen]")
    return str(field["value"]) if field else "0"
