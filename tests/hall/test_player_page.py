"""The state of a player's page."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import events
from events.hall.player_page import Facts, Now, now_of
from models.event import EventState
from models.play import PlayerState

PLAYING = Facts(EventState.IN_PROGRESS, PlayerState.CHECKED_IN, round="playing", game="open")
STATES = [
    (Facts(EventState.REGISTRATION, PlayerState.REGISTERED), Now.REGISTERED),
    (Facts(EventState.REGISTRATION, PlayerState.CHECKED_IN, seated=True), Now.MEETING),
    (Facts(EventState.REGISTRATION, PlayerState.WAITING), Now.WAITING),
    (Facts(EventState.REGISTRATION, PlayerState.DROPPED), Now.LEFT),
    (PLAYING, Now.GAME),
    (replace(PLAYING, game="decided"), Now.GAME),
    (replace(PLAYING, game="bye"), Now.BYE),
    (replace(PLAYING, game="none"), Now.NO_GAME),
    (replace(PLAYING, game="none", matched=True), Now.BOARDS),
    (replace(PLAYING, matched=True), Now.GAME),
    (replace(PLAYING, round="complete", game="decided"), Now.COMPLETE),
    (replace(PLAYING, challenges=True), Now.GAME),
    (replace(PLAYING, game="decided", challenges=True), Now.LADDER),
    (replace(PLAYING, round="complete", game="none"), Now.COMPLETE),
    (replace(PLAYING, player=PlayerState.WAITING, game="none"), Now.WAITING),
    # A player who leaves during a round still plays the current game, and nothing after it.
    (replace(PLAYING, player=PlayerState.DROPPED), Now.GAME),
    (replace(PLAYING, player=PlayerState.DROPPED, game="decided"), Now.LEFT),
    (replace(PLAYING, player=PlayerState.DROPPED, game="none", matched=True), Now.LEFT),
    (replace(PLAYING, event=EventState.FINISHED), Now.OVER),
    (Facts(EventState.FINISHED, PlayerState.DROPPED), Now.OVER),
]


def test_page_state_follows_from_the_facts_and_has_a_template() -> None:
    assert [(facts, now_of(facts)) for facts, _ in STATES] == STATES
    assert {now for _, now in STATES} == set(Now)
    folder = Path(events.__file__).parent / "hall" / "templates" / "hall" / "now"
    assert {path.stem for path in folder.glob("[!_]*.html")} == {now.value for now in Now}


def test_game_is_shown_only_while_a_round_is_played() -> None:
    for event, player in product(EventState, PlayerState):
        for facts, _ in STATES:
            asked = replace(facts, event=event, player=player)
            if now_of(asked) == Now.GAME:
                assert (asked.round, asked.game) in {("playing", "open"), ("playing", "decided")}
