"""The costs of a round compared with those of another draw, and notes on unusual pairs and byes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from events.tournament.pairing.levels import club_mates, have_met
from events.tournament.pairing.notes import Figure, Note, NoteKind
from events.tournament.pairing.seats import PLAIN, Certificate, Pair, Rules, Seat, watches_clubs
from languages.words import N_, capital, gettext, listed, minus, ngettext

Judged = Literal["same", "worse", "better"]


@dataclass(frozen=True)
class Level:
    """A level: its name in files, and for ``gettext`` its heading, its noun in singular and plural, its meaning."""

    key: str
    label: str
    one: str
    many: str
    means: str


LEVELS = (
    Level(
        "rematches",
        N_("Rematches"),
        N_("rematch"),
        N_("rematches"),
        N_("pairs who were paired before"),
    ),
    Level(
        "second_byes",
        N_("Second byes"),
        N_("second bye"),
        N_("second byes"),
        N_("the bye goes to a player who has had one"),
    ),
    Level(
        "bye_height",
        N_("Bye too high"),
        N_("score group"),
        N_("score groups"),
        N_("score groups below the player with the bye"),
    ),
    Level(
        "distance",
        N_("Apart in points"),
        N_("step apart in points"),
        N_("steps apart in points"),
        N_("over all pairs, the square of the step between the two players' groups of points"),
    ),
    Level(
        "repeat_floats",
        N_("Repeated pair-downs"),
        N_("repeated pair-down"),
        N_("repeated pair-downs"),
        N_("players paired down who were paired down before"),
    ),
    Level(
        "kept_apart",
        N_("Kept apart"),
        N_("pair not kept apart"),
        N_("pairs not kept apart"),
        N_("club mates and kept-apart pairs who play each other"),
    ),
    Level(
        "fixed_missed",
        N_("Fixed tables missed"),
        N_("fixed table missed"),
        N_("fixed tables missed"),
        N_("players who are not at their fixed table"),
    ),
    Level(
        "table_repeats",
        N_("Tables again"),
        N_("table again"),
        N_("tables again"),
        N_("how often players have sat at their table before"),
    ),
    Level(
        "table_steps",
        N_("Off the table order"),
        "",
        "",
        N_('the square of how far each pair is moved from "first pair, first table"'),
    ),
    Level(
        "scenario_repeats",
        N_("Scenarios again"),
        N_("scenario again"),
        N_("scenarios again"),
        N_("how often players have played their scenario before"),
    ),
)
"""In the order of the draw: no saving on a lower level outweighs a higher one."""
OF_TABLES = frozenset({"fixed_missed", "table_repeats", "table_steps", "scenario_repeats"})
"""The levels on where pairs play and what, not on who plays whom."""
AFTER_ORDER = frozenset({"table_repeats", "scenario_repeats"})
"""The last levels where pairs stay in the order of the tables."""


@dataclass(frozen=True)
class Cost:
    """The cost of a round on one level, and the other draw's cost."""

    level: Level
    here: int
    there: int
    counted: bool = True
    """False for a disabled level."""
    banned: bool = False
    """Whether it counts before all levels that are not banned."""

    @property
    def judged(self) -> Judged:
        return "same" if self.here == self.there else "worse" if self.here > self.there else "better"

    @property
    def difference(self) -> str:
        """ "+2", "−1", or "="."""
        apart = self.here - self.there
        return "=" if not apart else f"+{apart}" if apart > 0 else minus(apart)


def compared(
    here: Mapping[str, int], there: Mapping[str, int], rules: Rules = PLAIN, *, vary: bool = True
) -> tuple[Cost, ...]:
    """The costs of two draws of the same players, level by level, the most important first.

    Levels missing from both, and unknown keys, are left out. Unless tables ``vary``, their order comes first.
    """
    costs = [
        Cost(
            level,
            here.get(level.key, 0),
            there.get(level.key, 0),
            level.key not in rules.off,
            level.key in rules.banned,
        )
        for level in LEVELS
        if level.key in here or level.key in there
    ]
    return tuple(sorted(costs, key=lambda cost: (not cost.banned, not vary and cost.level.key in AFTER_ORDER)))


def judged(costs: Sequence[Cost]) -> Judged:
    return next((cost.judged for cost in costs if cost.counted and cost.judged != "same"), "same")


def differ_in_tables(costs: Sequence[Cost]) -> bool:
    """Whether only tables or scenarios make a difference: the pairs of both draws are equally good."""
    differing = {cost.level.key for cost in costs if cost.counted and cost.judged != "same"}
    return bool(differing) and differing <= OF_TABLES


def verdict(costs: Sequence[Cost], other: str = "") -> str:
    """The comparison in one or two sentences. ``other`` is the other draw's name, "" for the best one."""
    other = other or gettext("the best draw")
    if not (details := differences(costs)):
        return gettext("As good as %(other)s.", other=other)
    if differ_in_tables(costs):
        return gettext(
            "As good as %(other)s except for tables and scenarios: %(details)s", other=other, details=details
        )
    if judged(costs) == "better":
        return gettext("Better than %(other)s: %(details)s", other=other, details=details)
    return gettext("Worse than %(other)s: %(details)s", other=other, details=details)


def differences(costs: Sequence[Cost]) -> str:
    """The deciding level, and lower levels that favour the other draw; "" if nothing differs."""
    differing = [cost for cost in costs if cost.counted and cost.judged != "same"]
    if not differing:
        return ""
    first = differing[0]
    text = f"{_count(first)}."
    against = [cost for cost in differing if cost.judged != first.judged]
    if against:
        lower = listed([_count(cost) for cost in against])
        text += " " + gettext("%(lower)s, which counts less.", lower=capital(lower))
    return text


def certificate_in_words(certificate: Certificate) -> str:
    """Whether a better draw can exist, in a sentence."""
    if certificate.proven:
        return gettext("This is proven: no other pairing of these players is better.")
    return gettext("This is the best pairing found; a better one may exist.")


def _count(cost: Cost) -> str:
    apart = abs(cost.here - cost.there)
    more = cost.here > cost.there
    if cost.level.key == "bye_height":
        if more:
            return ngettext("the bye %(num)s group higher", "the bye %(num)s groups higher", apart)
        return ngettext("the bye %(num)s group lower", "the bye %(num)s groups lower", apart)
    if cost.level.key == "table_steps":  # its figure is a square, which says nothing to readers
        if more:
            return gettext("pairs sit further from the order of the tables")
        return gettext("pairs sit closer to the order of the tables")
    noun = gettext(cost.level.one if apart == 1 else cost.level.many)
    if more:
        return gettext("%(n)s more %(noun)s", n=apart, noun=noun)
    return gettext("%(n)s fewer %(noun)s", n=apart, noun=noun)


def explain(
    round_number: int,
    seats: Sequence[Seat],
    pairs: Sequence[Pair],
    bye: str | None,
    rules: Rules = PLAIN,
    *,
    proven: bool = False,
) -> tuple[tuple[Pair, ...], tuple[Note, ...]]:
    """The same pairs with new notes, and the notes on the bye.

    ``proven`` says that the pairing is known to be the best; only then do notes claim that no better one exists. They
    claim nothing under unusual rules, and name locked pairs as locked. Raises KeyError if a pair or the bye has an id
    without a seat.
    """
    proven = proven and not (rules.locked or rules.off or rules.banned)
    locked = {frozenset(two) for two in rules.locked}
    by_id = {seat.id: seat for seat in seats}
    games = [(by_id[pair.a], by_id[pair.b]) for pair in pairs]
    apart = {frozenset(two) for two in rules.keep_apart}
    clubs = watches_clubs(rules, round_number)
    forced = forced_lines(seats, games, bye)
    rematch = Note(NoteKind.REMATCH)
    if proven:
        fewest = sum(have_met(a, b) for a, b in games)
        rematch = Note(NoteKind.REMATCH_NEEDED, {"players": 2 * len(games), "fewest": fewest})

    def notes(a: Seat, b: Seat) -> Iterator[Note]:
        by_hand = frozenset((a.id, b.id)) in locked
        if by_hand:
            yield Note(NoteKind.LOCKED)
        if have_met(a, b):
            yield rematch
        if a.points != b.points:
            high, low = (a, b) if a.points > b.points else (b, a)
            apart_by: dict[str, Figure] = {"high": high.points, "low": low.points}
            if not by_hand and crossed_lines(seats, high, low) <= forced.keys():
                odd: dict[str, Figure] = {"above": forced[high.points], "line": high.points}
                yield Note(NoteKind.PAIR_DOWN_ODD, apart_by | odd)
            elif proven:
                yield Note(NoteKind.PAIR_DOWN_NEAREST if bye is None else NoteKind.PAIR_DOWN_NEAREST_BYE, apart_by)
            else:
                yield Note(NoteKind.PAIR_DOWN, apart_by)
            if high.floats:
                yield Note(NoteKind.REPEAT_PAIR_DOWN, {"times": high.floats})
        if frozenset((a.id, b.id)) in apart:
            yield Note(NoteKind.KEPT_APART)
        if clubs and club_mates(a, b):
            yield Note(NoteKind.SAME_CLUB, {"club": a.club.strip()})

    noted = tuple(replace(pair, notes=tuple(notes(a, b))) for pair, (a, b) in zip(pairs, games, strict=True))
    if bye is None:
        return noted, ()
    return noted, (Note(NoteKind.BYE_LOCKED) if {bye, None} in locked else explain_bye(seats, bye, proven=proven),)


def explain_bye(seats: Sequence[Seat], bye: str, *, proven: bool = False) -> Note:
    """Why this seat has the bye. Raises KeyError for an id without a seat."""
    seat = {s.id: s for s in seats}[bye]
    fresh = [s for s in seats if not s.byes]
    lower = [s for s in fresh or seats if s.points < seat.points]
    best: dict[str, Figure] = {"best": "rematches"} if proven else {}
    if len(seats) == 1:
        return Note(NoteKind.BYE_ONLY_PLAYER)
    if seat.byes and fresh:
        return Note(NoteKind.SECOND_BYE, {"times": seat.byes, "players": len(fresh)} | best)
    if lower:
        kind = NoteKind.BYE_HIGHER if fresh else NoteKind.SECOND_BYE_HIGHER
        return Note(kind, {"points": seat.points, "players": len(lower)} | best)
    return Note(NoteKind.BYE_LOWEST if fresh else NoteKind.SECOND_BYE_LOWEST, {"points": seat.points})


def crossed_lines(seats: Sequence[Seat], a: Seat, b: Seat) -> set[float]:
    """The groups, by points, whose lower boundary this pair crosses."""
    low, high = sorted((a.points, b.points))
    return {seat.points for seat in seats if low < seat.points <= high}


def forced_lines(seats: Sequence[Seat], games: Iterable[tuple[Seat, Seat]], bye: str | None) -> dict[float, int]:
    """The boundaries between groups that exactly one pair crosses because the number of players above is odd: the
    points of the group above, and the number of players above.
    """
    crossed = Counter(line for a, b in games if a.points != b.points for line in crossed_lines(seats, a, b))
    above = {line: sum(s.points >= line and s.id != bye for s in seats) for line in crossed}
    return {line: above[line] for line, pairs in crossed.items() if pairs == 1 and above[line] % 2}
