"""The cross table shows every game from both sides."""

from random import Random

from events.play.figures import Entrant, Result, Scheme
from events.standings.ranking import Cell, cross_table
from events.standings.records import records


def test_each_game_is_shown_from_both_sides() -> None:
    found = cross_table([Result(2, "a", "b", 4, 7), Result(1, "b", "a", 3, 3), Result(1, "c", None)])
    assert found == {
        ("a", "b"): (Cell(1, "D", 3, 3), Cell(2, "L", 4, 7)),
        ("b", "a"): (Cell(1, "D", 3, 3), Cell(2, "W", 7, 4)),
    }
    assert cross_table([Result(1, "a", "b", 9, 1, won="b")])["a", "b"] == (Cell(1, "L", 9, 1),)
    assert cross_table([Result(1, "a", "b", absent="b")]) == {("a", "b"): (Cell(1, "W"),), ("b", "a"): (Cell(1, "L"),)}
    assert cross_table([Result(1, "a", "b", absent="both")])["a", "b"] == (Cell(1, "L"),)


def test_rows_add_up_to_the_records_of_the_standings() -> None:
    dice = Random(4)
    ids = "abcdef"
    results = [
        Result(number, x, y, dice.randrange(5), dice.randrange(5))
        for number, (x, y) in enumerate(((x, y) for x in ids for y in ids if x < y), start=1)
    ]
    made = records(results, [Entrant(x, x) for x in ids], Scheme())
    cells = cross_table(results)
    for x in ids:
        row = [cell for (own, _), games in cells.items() if own == x for cell in games]
        assert sum(cell.vp or 0 for cell in row) == made[x].vp
        assert sum(cell.outcome == "W" for cell in row) == made[x].wins
        assert sum(cell.outcome == "D" for cell in row) == made[x].draws
