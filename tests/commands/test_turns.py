"""Who of those that wait in a worker gets a thread next."""

import time

import pytest

from events.commands.turns import MOST, READY, Kind, Turns

THREADS = 16


@pytest.fixture
def turns() -> Turns[str]:
    """Nobody waits in a worker of so many threads."""
    return Turns(THREADS)


def come(turns: Turns[str], kind: Kind, many: int) -> list[str]:
    """So many of a kind come, one after the other."""
    names = [f"{kind.name} {n}" for n in range(many)]
    for name in names:
        turns.wait(name, kind)
    return names


def test_a_phone_that_comes_now_does_not_wait_for_all_that_ask_again_and_again(turns: Turns[str]) -> None:
    again = come(turns, Kind.AGAIN, 200)
    assert list(turns.go()) == again[: THREADS + READY]
    new = come(turns, Kind.NEW, 2)
    for name in again[:4]:
        turns.leave(name)
    assert sorted(turns.go()) == sorted([*new, *again[THREADS + READY :][:2]]), "the kinds take turns"
    assert turns.waiting(Kind.NEW) == 0


def test_one_is_alone_until_another_has_a_thread(turns: Turns[str]) -> None:
    one, other = come(turns, Kind.NEW, 2)
    assert turns.alone
    assert list(turns.go()) == [one, other] and not turns.alone
    turns.leave(one)
    assert turns.alone


@pytest.mark.proves("F14")
def test_who_looks_does_not_wait_for_a_hall_that_reports(turns: Turns[str]) -> None:
    reports = come(turns, Kind.CHANGE, 125)
    assert list(turns.go()) == reports[: MOST[Kind.CHANGE]]
    looks = come(turns, Kind.NEW, 9)
    assert list(turns.go()) == looks
    assert list(turns.go()) == []
    turns.leave(reports[0])
    assert list(turns.go()) == [reports[MOST[Kind.CHANGE]]]
    assert turns.waiting(Kind.CHANGE) == 125 - MOST[Kind.CHANGE] - 1


@pytest.mark.proves("attack 47")
def test_of_long_ones_few_are_read_at_once_and_their_time_ends(turns: Turns[str]) -> None:
    long = come(turns, Kind.LONG, MOST[Kind.LONG] + 2)
    assert list(turns.go()) == long[:-2]
    assert turns.since(Kind.LONG, 60) == []
    time.sleep(0.001)
    assert turns.since(Kind.LONG, 0) == long[:-2]
    assert turns.since(Kind.NEW, 0) == []
    oldest = turns.longest(Kind.LONG)
    assert oldest is not None and oldest[0] == long[-2] and oldest[1] <= time.monotonic()
    turns.let_go(Kind.LONG)
    turns.leave(long[0])
    assert list(turns.go()) == [long[-1]]
    assert turns.longest(Kind.LONG) is None


def test_each_has_one_thread_and_each_comes_to_its_turn(turns: Turns[str]) -> None:
    everybody = {name for kind in Kind for name in come(turns, kind, 50)}
    had: list[str] = []
    while here := list(turns.go()):
        had += here
        for name in here:
            turns.leave(name)
    assert sorted(had) == sorted(everybody)
