"""Which player wins which award: figures, ties, factions, one award each, named winners."""

from dataclasses import replace
from fractions import Fraction

from events.standings.award_rules import Contender, Kind, Wanted, decide


def player(id_: str, rank: int, *, faction: str = "", stays: bool = True, **figures: int) -> Contender:
    plain = {"vp": 0, "overall": 0, "painting": 0, "votes": 0, "sport": 0} | figures
    return Contender(
        id_, rank, faction, plain["vp"], Fraction(plain["overall"]), Fraction(plain["painting"]), plain["votes"],
        Fraction(plain["sport"]), stays,
    )  # fmt: skip


FIELD = [
    player("a", 1, faction="Reds", vp=9, overall=7, painting=3, votes=2, sport=4),
    player("b", 2, faction="Blues", vp=12, overall=9, painting=8, votes=2, sport=4),
    player("c", 3, faction="Reds", vp=12, overall=5, painting=8, votes=1),
    player("d", 3, faction="Reds", vp=12, overall=5, painting=8, votes=1),
    player("e", 5, faction="Greens", vp=1),
]


def winners(*wanted: Wanted, least: int = 1, one_each: bool = False) -> list[tuple[str, tuple[str, ...]]]:
    return [(won.faction, won.winners) for won in decide(wanted, FIELD, least=least, one_each=one_each)]


def test_best_figure_wins_and_ties_go_to_the_higher_rank() -> None:
    kinds: dict[Kind, tuple[str, str]] = {
        "overall": ("b", ""), "painted": ("b", "cd"), "painted_vote": ("a", "b"), "sport": ("a", "b"),
        "most_vp": ("b", "cd"), "spoon": ("e", ""),
    }  # fmt: skip
    for kind, (won, level) in kinds.items():
        (found,) = decide([Wanted(1, kind)], FIELD, least=1, one_each=False)
        assert (found.winners, found.level) == (tuple(won), tuple(level)), kind
    field = [replace(one, painting=Fraction(9)) if one.id in "cd" else one for one in FIELD]
    (found,) = decide([Wanted(1, "painted")], field, least=1, one_each=False)
    assert found.winners == ("c", "d"), "players of the same rank share it"
    for kind in ("painted", "painted_vote", "sport", "most_vp"):
        (found,) = decide([Wanted(1, kind)], [player("a", 1)], least=1, one_each=False)
        assert found.winners == (), "zero wins no award"


def test_shared_rank_leaves_the_next_place_empty() -> None:
    assert [won for _, won in winners(*(Wanted(n, "place", n) for n in (1, 3, 4)))] == [("a",), ("c", "d"), ()]


def test_faction_needs_enough_players_for_an_award() -> None:
    assert winners(Wanted(1, "faction")) == [("Blues", ("b",)), ("Greens", ("e",)), ("Reds", ("a",))]
    assert winners(Wanted(1, "faction"), least=2) == [("Reds", ("a",))]


def test_one_award_each_does_not_limit_places() -> None:
    wanted = (Wanted(1, "painted"), Wanted(2, "place", 2), Wanted(3, "most_vp"), Wanted(4, "faction"))
    found = winners(*wanted, least=3, one_each=True)
    assert found == [("", ("b",)), ("", ("b",)), ("", ("c", "d")), ("Reds", ("a",))]
    assert winners(*wanted, least=3)[2] == ("", ("b",))


def test_named_winner_replaces_the_calculated_one() -> None:
    found = winners(
        Wanted(1, "painted", named=(("", "e"), ("", "a"))),
        Wanted(2, "own"),
        Wanted(3, "faction", named=(("Reds", "d"),)),
        one_each=True,
    )
    assert found == [
        ("", ("e", "a")), ("", ()), ("Blues", ("b",)), ("Greens", ()), ("Reds", ("d",)),
    ]  # fmt: skip


def test_best_of_a_faction_goes_to_its_best_player_without_a_place() -> None:
    places = [Wanted(1, "place", 1), Wanted(2, "place", 2)]
    assert winners(Wanted(3, "faction"), *places)[:3] == [("Blues", ()), ("Greens", ("e",)), ("Reds", ("c", "d"))]
    named = Wanted(3, "faction", named=(("Reds", "a"),))
    assert winners(*places, named)[-1] == ("Reds", ("a",)), "the organiser may name the champion"
    assert winners(Wanted(1, "place", 1, named=(("", "e"),)), Wanted(3, "faction"))[-2:] == [
        ("Greens", ()), ("Reds", ("a",)),
    ]  # fmt: skip


def test_dropped_player_wins_only_if_named() -> None:
    gone = [replace(one, stays=one.id != "a") for one in FIELD]
    wanted = [Wanted(1, "faction"), Wanted(2, "place", 1), Wanted(3, "own", named=(("", "a"),))]
    found = decide(wanted, gone, least=3, one_each=False)
    assert [won.winners for won in found] == [("c", "d"), (), ("a",)]
