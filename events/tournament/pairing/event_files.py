"""The files of several rounds of one event, checked against each other."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from events.tournament.pairing.certificate import Couple, PairingsFile, certificate_document
from events.tournament.pairing.history import Past
from events.tournament.pairing.request import bracket_of_seats
from events.tournament.pairing.seats import Pair
from events.tournament.pairing.words import plain_number
from languages.words import N_, gettext, listed


@dataclass(frozen=True)
class EventCheck:
    """The result of checking an event's rounds against each other."""

    slug: str
    name: str
    rounds: tuple[int, ...]
    missing: tuple[int, ...]
    """The rounds before the last one that are not among the files."""
    repeated: tuple[int, ...]
    """The rounds with more than one file."""
    differences: tuple[str, ...]
    """The contradictions, one sentence each."""

    @property
    def result(self) -> str:
        return "contradictory" if self.differences else "incomplete" if self.missing else "consistent"


def check_events(files: Sequence[PairingsFile], different: Collection[PairingsFile] = ()) -> list[EventCheck]:
    """A check for each event; empty for a single file. ``different`` are the files that failed their own check."""
    if len(files) < 2:
        return []
    events = defaultdict[str, list[PairingsFile]](list)
    for file in files:
        events[file.event.slug].append(file)
    return [_check(slug, sorted(of_it, key=lambda file: file.round), different) for slug, of_it in events.items()]


def _check(slug: str, files: Sequence[PairingsFile], different: Collection[PairingsFile]) -> EventCheck:
    counts = Counter(file.round for file in files)
    missing = tuple(sorted({*range(1, max(counts))} - {*counts}))
    repeated = tuple(number for number, count in counts.items() if count > 1)
    text = N_("round %(number)s: its own file is different")
    wrong = (gettext(text, number=file.round) for file in files if file in different)
    differences = (*wrong, *_contradictions(files, complete=not missing))
    return EventCheck(slug, files[-1].event.name, tuple(counts), missing, repeated, differences)


def _contradictions(files: Sequence[PairingsFile], *, complete: bool) -> Iterator[str]:
    yield from _named_differently(files)
    for pairings_file, other in pairwise(files):
        if pairings_file.round == other.round and certificate_document(pairings_file) != certificate_document(other):
            yield gettext("round %(number)s: two different files", number=pairings_file.round)
    for earlier, later in combinations(files, 2):
        if earlier.round < later.round:
            if earlier.before is not None and later.before is None:
                text = N_("round %(number)s: its results are missing, and round %(earlier)s has them")
                yield gettext(text, number=later.round, earlier=earlier.round)
            yield from _bracket_differs(earlier, later)
            if earlier.inputs.format.kind != "knockout":
                yield from (_met_otherwise if later.before is None else _counted_otherwise)(earlier, later)
    for earlier, later in pairwise(files):
        if earlier.before is not None and later.before is not None:
            yield from _changed_between(earlier, later)
    for file in files:
        if complete and file.before is None:
            yield from _strangers(file, [a_file for a_file in files if a_file.round < file.round])


def _named_differently(files: Sequence[PairingsFile]) -> Iterator[str]:
    events = list(dict.fromkeys(file.event.name for file in files))
    if len(events) > 1:
        yield gettext("event: it is called %(names)s", names=listed(events))
    first: dict[str, tuple[str, int]] = {}
    for file in files:
        for id_, name in file.names.items():
            known, round_ = first.setdefault(id_, (name, file.round))
            if known != name:
                text = N_(
                    "player %(id)s: %(one)s in the file of round %(first)s, %(other)s in that of round %(number)s"
                )
                yield gettext(text, id=id_, one=known, first=round_, other=name, number=file.round)


def _counted_otherwise(earlier: PairingsFile, later: PairingsFile) -> Iterator[str]:
    rounds = {"number": earlier.round, "later": later.round}
    lines = [history for history in later.before or () if history.after == earlier.round and history.kind != "ruling"]
    games = {frozenset((history.a, history.b)): history for history in lines if history.b is not None}
    for pair in earlier.shown:
        line = games.pop(frozenset((pair.a, pair.b)), None)
        if line is None:
            text = N_("round %(number)s: %(names)s met by its file, and the file of round %(later)s lists no result")
            yield gettext(text, names=_both(earlier, pair), **rounds)
        elif line.kind in ("game", "stand-in", "open"):
            yield from _placed_otherwise(pair, line, earlier, later)
    for line in games.values():
        text = N_(
            "round %(number)s: the file of round %(later)s lists a result of %(names)s, who did not meet by its file"
        )
        yield gettext(text, names=_who(later, line), **rounds)
    byes = {history.a for history in lines if history.kind == "bye"}
    for id_ in sorted(byes ^ earlier.idle):
        by_later = N_("round %(number)s: %(name)s had the bye by the file of round %(later)s alone")
        text = by_later if id_ in byes else N_("round %(number)s: %(name)s had the bye by its file alone")
        yield gettext(text, name=later.name(id_), **rounds)
    seated = {seat.id for seat in earlier.inputs.seats}
    for line in lines:
        if line.kind in ("asked", "late") and line.a in seated:
            text = N_("round %(number)s: %(names)s had a seat by its file, and none by that of round %(later)s")
            yield gettext(text, names=_who(later, line), **rounds)


def _placed_otherwise(pair: Pair, line: Past, earlier: PairingsFile, later: PairingsFile) -> Iterator[str]:
    about = {"number": earlier.round, "later": later.round, "names": _both(earlier, pair)}
    if pair.table is not None and line.table != pair.table:
        text = N_(
            "round %(number)s: %(names)s played at table %(table)s by its file, at %(other)s by that of round %(later)s"
        )
        yield gettext(text, table=pair.table, other=line.table or "–", **about)
    scenario = pair.scenario or earlier.scenario
    if line.scenario is not None and line.scenario != scenario:
        text = N_("round %(number)s: %(names)s played %(one)s by its file, %(other)s by that of round %(later)s")
        yield gettext(text, one=scenario or gettext("no scenario"), other=line.scenario, **about)


def _met_otherwise(earlier: PairingsFile, later: PairingsFile) -> Iterator[str]:
    """For a file without results: games of an earlier round missing from its seats, unless a no-show explains them."""
    byes = {seat.id: seat.byes for seat in earlier.inputs.seats}
    opponents = {seat.id: seat.opponents for seat in later.inputs.seats if seat.byes <= byes.get(seat.id, 0)}
    for pair in earlier.shown if later.inputs.format.kind != "round_robin" else ():
        for player, other in ((pair.a, pair.b), (pair.b, pair.a)):
            if player in opponents and other in opponents and other not in opponents[player]:
                text = N_(
                    "round %(number)s: %(names)s met by its file, and are no opponents of each other in that of round "
                    "%(later)s, which lists no results"
                )
                yield gettext(text, number=earlier.round, names=_both(earlier, pair), later=later.round)
                break


def _strangers(file: PairingsFile, before: Iterable[PairingsFile]) -> Iterator[str]:
    """For a file without results: seats that list an opponent whom they met in no earlier round."""
    met: set[Couple] = {frozenset((pair.a, pair.b)) for pairings_file in before for pair in pairings_file.shown}
    for seat in file.inputs.seats:
        for other in seat.opponents:
            if frozenset((seat.id, other)) not in met:
                text = N_("round %(number)s: %(name)s has met %(other)s by its file alone")
                yield gettext(text, number=file.round, name=file.name(seat.id), other=file.name(other))


def _changed_between(earlier: PairingsFile, later: PairingsFile) -> Iterator[str]:
    before, after = (
        {_key(result): result for result in file.before or () if result.after < earlier.round}
        for file in (earlier, later)
    )
    for key in sorted(before.keys() | after.keys(), key=str):
        history, other = before.get(key), after.get(key)
        if history != other and (history is None or history.kind != "open"):  # the result came later
            line = history or other
            assert line is not None  # noqa: S101 - one of them has the key
            text = N_(
                "result of %(names)s in round %(number)s: %(one)s when round %(earlier)s was drawn, %(other)s when "
                "round %(later)s was drawn; corrected in between, or falsified"
            )
            drawn = {"earlier": earlier.round, "later": later.round}
            who, before_, after_ = _who(later, line), _result(history), _result(other)
            yield gettext(text, names=who, number=line.after, one=before_, other=after_, **drawn)


def _key(history: Past) -> tuple[object, ...]:
    ruled = history.points_a if history.kind == "ruling" else None
    return history.after, history.a, history.b, ruled


def _bracket_differs(earlier: PairingsFile, later: PairingsFile) -> Iterator[str]:
    """Seeds of a bracket, places in a round robin, or winners that changed between the files.

    The first round draws its order by lot. A draw rejects winners who did not play. In a round robin only that order
    counts, but a late player may take its empty place.
    """
    one, other = earlier.inputs.format, later.inputs.format
    if one.kind != other.kind or one.kind == "swiss":
        return
    order = bracket_of_seats(one, earlier.inputs.seats, earlier.seed).seeds
    rounds = {"one": earlier.round, "other": later.round}
    if order != other.order[: len(order)] and (one.kind == "knockout" or earlier.round == 1):
        text = N_("rounds %(one)s and %(other)s: other seeds")
        if one.kind != "knockout":
            text = N_("rounds %(one)s and %(other)s: other places")
        yield gettext(text, **rounds)
    if one.through != other.through[: len(one.through)]:
        yield gettext("rounds %(one)s and %(other)s: other players went through before", **rounds)


KINDS = {
    "game": N_("game"),
    "stand-in": N_("game of a stand-in"),
    "no-show": N_("no-show"),
    "not played": N_("not played"),
    "bye": N_("bye"),
    "asked": N_("bye asked for"),
    "late": N_("not entered yet"),
    "ruling": N_("ruling"),
    "open": N_("open game"),
}
"""What an earlier result is of, in words."""


def _result(history: Past | None) -> str:
    if history is None:
        return gettext("no result")
    points = " : ".join(plain_number(points) for _, _, points in history.sides)
    table = gettext("table %(table)s", table=history.table) if history.table is not None else ""
    return ", ".join(filter(None, (f"{gettext(KINDS[history.kind])} {points}", table, history.scenario)))


def _who(file: PairingsFile, history: Past) -> str:
    return listed([file.name(id_) for id_, _, _ in history.sides])


def _both(file: PairingsFile, pair: Pair) -> str:
    return listed([file.name(pair.a), file.name(pair.b)])
