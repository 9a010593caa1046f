"""The sweep: whatever happens in an event of any kind, at any moment, its pages answer, add up, and lead to its end.

A case is a kind of event, a change and a moment (``cases``). What does not exist is left out by a rule with its reason
(``changes.LEFT_OUT``). After the change:

- no answer is an error: of the form, of the pages that it changes, of the addresses that the case opens (``looks``);
- visitors and players read nothing of a draft;
- points, totals, the bracket and the ladder are those of a second calculation from the rows (``second``);
- the rows agree with each other and with the journal;
- the archive, taken into another club's database, is the same event: with the same standings and the same archive;
- the buttons that the desk offers lead to the end of the event (``ending``).

``--sweeps`` takes cases that have each pair of a sort of kinds, a change and a moment; kinds that differ by sizes and
games only take turns (``Kind.sort``); four of the kinds have each change. The usual run takes one of these. Each case
calculates the standings, and opens one of the event's page, the player's page, the page of standings, the projector and
the desk in turn, and a few addresses more: over all cases nearly each page is opened for each sort of kinds and each
group of changes, each paper and picture, which costs as much as many pages, in four sorts; by one person after the
other. An end is tried for each sort and each moment, an archive
also for each group of changes. ``--long`` takes the whole product, opens everything as each person, and tries each end
and archive.
"""

import logging
import sys
from collections.abc import Iterator, Sequence
from itertools import cycle

import pytest

from events.journal.invariants import check_event
from events.store.verdicts import terms_of, verdict_of
from models.event import RoundState
from models.settings import EventFormat
from tests.kinds.cases import Case, Looks, covering_set, every_case, left_out, planned
from tests.kinds.changes import CHANGES
from tests.kinds.ending import close, take_next_step
from tests.kinds.looks import addresses_of, filled, is_paper, look, readers_of
from tests.kinds.moments import KINDS, Kind, Moment
from tests.kinds.restored import restored_differences
from tests.kinds.second import differences
from tests.kinds.sections import save_each
from tests.kinds.world import PEOPLE, Errors, Fault, States, World
from tests.kit.person import Page
from tests.kit.profiles import every_nth, full_run
from validators import SYSTEMS

OF_EACH = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
FEW = {"Swiss with a cut", "doubles, knockout of 5", "teams of 2", "season, ladder"}
USUAL = [kind for kind in KINDS if kind.name in FEW]
DRAWN_BY_ROUND = [kind for kind in KINDS if not (kind.at_once or kind.by_challenge)]
"""Kinds whose round 2 is drawn as a draft."""
OF_EACH_SORT = {kind.sort: kind for kind in DRAWN_BY_ROUND}.values()
FIRST = (("/e/<slug>/me", "player"), ("/e/<slug>/hall", "visitor"), ("/e/<slug>/desk", "organiser"),
         ("/e/<slug>/standings", "player"), ("/e/<slug>", "visitor"))  # fmt: skip
"""The pages of which each case opens some, and as whom."""


def test_size_of_the_sweep(capsys: pytest.CaptureFixture[str]) -> None:
    """The sweep, the whole product, and what does not exist, by reason."""
    with capsys.disabled():
        sys.stderr.write(f"{len(covering_set())} of {len(every_case())} cases; not possible: {dict(left_out())}\n")
    assert len(every_case()) + sum(left_out().values()) == len(KINDS) * len(CHANGES) * len(Moment)
    assert {case.kind for case in covering_set()} == {*KINDS}
    assert {case.change for case in covering_set() if case.kind in USUAL} == {*CHANGES}
    assert len(covering_set()) < 400 < 2500 < len(every_case())


@pytest.mark.parametrize(
    "kind", full_run(KINDS, [kind for kind in USUAL if kind.name == "teams of 2"], KINDS), ids=lambda kind: kind.name
)
def test_each_kind_of_event_survives_each_change(kind: Kind, states: States) -> None:
    """The cases of this kind in the covering set."""
    plans = planned(addresses_of(states.app))
    cases = [case for case in covering_set() if case.kind == kind]
    faults: list[str] = []
    for number, case in enumerate(cases):
        readers = cycle(PEOPLE[number % 4 :] + PEOPLE[: number % 4])
        looks = [(text, [next(name for name in readers if name in readers_of(text))]) for text in plans[case].patterns]
        pattern, reader = FIRST[number % len(FIRST)]
        faults += lived(states, case, [(pattern, [reader]), *looks], plans[case])
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "kind", full_run(KINDS, [kind for kind in USUAL if kind.name == "teams of 2"], KINDS), ids=lambda kind: kind.name
)
@pytest.mark.proves("attack 107")
def test_every_section_of_settings_is_saved_at_each_moment(kind: Kind, states: States) -> None:
    faults: list[str] = []
    for turn, moment in enumerate(states.moments(kind), KINDS.index(kind)):
        with states.enter(kind, moment) as world:
            faults += [f"{kind.name}, {moment}: {fault}" for fault in save_each(world, turn)]
    assert not faults, "\n".join(faults)


def test_list_with_too_few_points_for_a_battle_keeps_no_setting_from_being_saved(states: States) -> None:
    (kind,) = (kind for kind in KINDS if kind.campaign and kind.season and kind.format == EventFormat.SWISS)
    squad = {"name": "One", "models": [{"name": "Raider", "rank": "squadleader", "weapon": "SMG"},
                                       {"name": "Raider", "count": 2, "weapon": "Rifle"}]}  # fmt: skip
    few = {"system": kind.game, "edition": "2001-03", "faction": "Raiders & Reavers", "name": "Few", "squads": [squad]}
    with states.enter(kind, Moment.BEFORE_LOCK) as world:
        edition = terms_of(world.event).edition
        world.desk.force(world.event, world.hero, SYSTEMS[kind.game].forces.read(few, edition))
        force, terms = world.hero.force_list, terms_of(world.event)
        assert force is not None
        assert [query.rule for query in verdict_of(world.event, force.document, terms).queries], "the control"
        assert [*save_each(world, 0)] == []


@pytest.mark.long
@OF_EACH
def test_each_kind_of_event_survives_each_change_at_each_moment(
    kind: Kind, states: States, capsys: pytest.CaptureFixture[str]
) -> None:
    """All cases of this kind."""
    cases = [case for case in every_case() if case.kind == kind]
    looks = [(address, readers_of(address)) for address in addresses_of(states.app)]
    faults = [fault for case in cases for fault in lived(states, case, looks, Looks((), ends=True, restored=True))]
    with capsys.disabled():
        sys.stderr.write(f"{kind.name}: {len(cases)} of {len(every_case())} cases\n")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("kind", full_run(DRAWN_BY_ROUND, USUAL[:2], OF_EACH_SORT), ids=lambda kind: kind.name)
@every_nth(10, 10)
def test_draft_of_a_round_changes_no_page_of_visitors_and_players(kind: Kind, states: States, step: int) -> None:
    """The desk's next steps draw round 2; each ``step``-th page is compared."""
    patterns = [
        address
        for address in addresses_of(states.app)
        if "/desk" not in address and not is_paper(address) and not address.endswith("/version")  # says when, not what
    ]
    with states.enter(kind, Moment.COMPLETE) as world:
        some = patterns[KINDS.index(kind) % step :: step]
        addresses = [address for text in some for address in filled(world, text, all_values=False)]
        addresses += [address.replace("/rounds/1", "/rounds/2") for address in addresses if "/rounds/1" in address]
        before = {(name, address): read(world, name, address) for name in PEOPLE[:2] for address in addresses}
        missing = [where for where, text in before.items() if text.startswith("404")]
        before |= {where: read(world, *where) for where in missing}  # a sheet's code, read since, opens its game
        while not world.rounds(RoundState.DRAWN):
            take_next_step(world, [])
        assert [where for where, text in before.items() if read(world, *where) != text] == []


def read(world: World, name: str, address: str) -> str:
    """What a person reads at an address."""
    page = Page(world.person(name).http.get(address, buffered=True))
    text = page.text if page.response.mimetype == "text/html" else page.response.get_data(as_text=True)
    return f"{page.status} {text}"


def lived(states: States, case: Case, looks: Sequence[tuple[str, Sequence[str]]], plan: Looks) -> Iterator[str]:
    """Live through a case; the faults found."""
    errors = Errors()
    log = logging.getLogger("overseer")
    log.addHandler(errors)
    with states.enter(case.kind, case.moment, second=case.second) as world:
        for step in (changes(world, case), opens(world, looks, errors, all_values=plan == Looks((), True, True)),
                     adds_up(world), *([is_restored(world)] if plan.restored else []),
                     *([ends(world)] if plan.ends else [])):  # fmt: skip
            try:
                yield from (f"{case}: {fault}" for fault in step)
            except Fault as fault:
                yield f"{case}: {fault}\n{''.join(errors.lines[-1:])}"
                break
    log.removeHandler(errors)


def changes(world: World, case: Case) -> Iterator[str]:
    """Make the change; it must change something."""
    event, version = world.event_id, world.event.version
    try:
        CHANGES[case.change](world)
    except (AssertionError, LookupError, ValueError, StopIteration) as failed:
        raise Fault(f"the change failed: {type(failed).__name__} {failed}") from failed
    if (world.event_id, world.event.version) == (event, version):
        raise Fault(f"nothing changed: {world.refusal()}")
    yield from ()


def opens(
    world: World, looks: Sequence[tuple[str, Sequence[str]]], errors: Errors, *, all_values: bool
) -> Iterator[str]:
    for pattern, readers in looks:
        try:
            look(world, pattern, readers, all_values=all_values)
        except Fault as fault:
            yield f"{fault}\n{''.join(errors.lines[-1:])}"


def adds_up(world: World) -> Iterator[str]:
    yield from differences(world)


def is_restored(world: World) -> Iterator[str]:
    yield from restored_differences(world)


def ends(world: World) -> Iterator[str]:
    close(world)
    yield from differences(world)
    yield from (f"{problem.promise}: {problem.what}" for problem in check_event(world.desk.s, world.event))
