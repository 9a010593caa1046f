"""The letters of a player's rounds and the ranks moved, on the standings page."""

from events.standings.pips import MOST, Pip, pips_of, ranks_moved
from events.tournament.figures import Entrant, Result, Scheme
from events.tournament.ranking import ranking_rows
from tests.kit.person import Person
from tests.kit.stage import Stage

NAMES = {"a": "Ada", "b": "Bo", "c": "Cy"}
GAMES = [
    Result(2, "c", None),
    Result(1, "a", "b", 9, 4),
    Result(2, "b", "a", 5, 5),
    Result(3, "c", "a", absent="b"),
]


def test_each_round_is_a_letter_with_its_score_and_opponent() -> None:
    pips = pips_of(GAMES, NAMES, with_vp=True)
    assert pips["a"] == [
        Pip(1, "W", "Round 1: won 9 : 4 against Bo"),
        Pip(2, "D", "Round 2: draw 5 : 5 against Bo"),
        Pip(3, "L", "Round 3: lost against Cy"),
    ]
    assert [pip.letter for pip in pips["c"]] == ["–", "B", "W"]
    assert pips_of(GAMES, NAMES, with_vp=False)["b"][0].words == "Round 1: lost against Ada"
    assert pips_of([Result(MOST + 1, "a", "b", 1, 0)], NAMES, with_vp=True) == {}


def test_moves_count_ranks_and_leave_newcomers_out() -> None:
    field = [Entrant(id_, name) for id_, name in NAMES.items()]
    before = ranking_rows(GAMES[1:2], field[:2], Scheme(3, 1, 0))
    now = ranking_rows([*GAMES[1:2], Result(2, "b", "c", 9, 0), Result(3, "c", "a", 1, 0)], field, Scheme(3, 1, 0))
    ranks = {row.id: row.rank for row in now}
    assert ranks_moved(before, now) == {"a": 1 - ranks["a"], "b": 2 - ranks["b"]} != {"a": 0, "b": 0}


def test_each_row_shows_every_round(visitor: Person, stage: Stage) -> None:
    event = stage.event(rounds=3, players=("Ada", "Bo", "Cy", "Di", "Ed", "Fay"))
    for game in stage.publish(event, 1):
        stage.decide(event, game, 2, 1)
    leader = stage.standings(event)[0].id
    for game in stage.publish(event, 2):
        stage.decide(event, game, *((1, 2) if str(game.a_id) == leader else (2, 1)))
    page = visitor.open("/e/iron-open/standings")
    assert [tag.text for tag in page.soup.select(".std .who b")] == [row.name for row in stage.standings(event)]
    letters = ["".join(pip.text for pip in row.select(".pip")) for row in page.soup.select(".std summary")]
    assert letters[0] == "WW" and sorted("".join(letters)) == list("LLLLLLWWWWWW")
    moves = page.soup.select(".std .move")
    assert moves, "who led after round 1 has lost"
    assert all(move["aria-hidden"] == "true" for move in moves), "the move is no part of what is read out"
