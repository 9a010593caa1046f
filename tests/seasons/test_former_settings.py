"""Campaigns that release 0.1.0 stored, with settings that are rules of Overseer since."""

import pytest

from events.journal.invariants import check_invariants
from events.seasons.campaign_actions import found_groups
from events.store.errors import Refused
from models.event import Event
from models.play import Player
from tests.kit.archives import archived, taken_in
from tests.kit.stage import Stage
from tests.seasons.earning import campaign_of, history, season_of, seeds

DEFAULTS = {
    "fallout_skirmish": {
        "first_turfs": "roll", "experienced": "25", "slaves": "d3", "cripples": "own", "two_legs": "slow",
        "free_trader": "rent", "marketplace": "owned", "merchant": "9", "leader_barters": "yes",
        "two_prices": "merchant", "addiction": "50", "by_three": "kept",
    },
    "fallout_warfare": {
        "start": "advised", "most": "200", "least": "50", "limits": "tournament", "retreat": "1", "doctor": "break",
        "extra": "0", "map": "no", "picks": "2", "holds": "battle",
    },
}  # fmt: skip
"""The settings of a campaign with no other choices, as release 0.1.0 stored them."""
MESSAGE = "The setting “two_legs” of this campaign was “home”, which is no choice any more."


def stored(stage: Stage, event: Event, settings: dict[str, str]) -> Event:
    """The event with a campaign of these settings."""
    stage.set(event, campaign=(stage.now(event).campaign or {}) | {"settings": settings})
    return stage.now(event)


@pytest.mark.parametrize("game", DEFAULTS)
def test_campaign_with_the_defaults_of_the_first_release_reads_as_before(stage: Stage, other: Stage, game: str) -> None:
    event = stage.event(game=game, size=500)
    campaign_of(stage, event, "Ada", "Bo")
    before = history(stage, event)
    event = stored(stage, event, DEFAULTS[game])
    assert history(stage, event).entries == before.entries
    assert history(stage, event).world.settings == before.world.settings
    assert list(check_invariants(stage.s)) == []
    back = taken_in(other.s, archived(stage.engine, event, stage.clock()), stage.clock())
    assert history(other, back).entries == before.entries
    assert back.campaign == event.campaign


def test_steps_by_another_choice_are_not_read_by_the_rules_of_today(stage: Stage) -> None:
    event = stage.event(game="fallout_skirmish", size=500)
    campaign_of(stage, event, "Ada", "Bo")
    stored(stage, event, DEFAULTS["fallout_skirmish"] | {"two_legs": "home"})
    with pytest.raises(Refused, match=f"cannot read step 1, .*: {MESSAGE} Nothing is lost."):
        history(stage, event)
    assert MESSAGE in str(list(check_invariants(stage.s)))
    stored(stage, event, DEFAULTS["fallout_skirmish"])


def test_campaign_without_steps_begins_by_the_rules_of_today(stage: Stage) -> None:
    event = stage.event(game="fallout_skirmish", size=500)
    season_of(stage, event, "Ada", "Bo")
    stored(stage, event, DEFAULTS["fallout_skirmish"] | {"two_legs": "home"})
    assert stage.do(event, found_groups, seeds()) == 2
    campaign = stage.now(event).campaign
    assert campaign and campaign["settings"] == {"first_turfs": "roll", "merchant": "9"}
    assert history(stage, event).world.groups.keys() == {player.id for player in stage.all(Player)}
