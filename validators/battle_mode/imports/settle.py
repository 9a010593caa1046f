"""After the pass over the lines: costs, the total and the answers decide what is open; mods find their items."""

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from languages.words import gettext
from validators.battle_mode.edition import Edition, ModelEntry
from validators.battle_mode.imports import doubts as open_points
from validators.battle_mode.imports.building import Built
from validators.battle_mode.imports.doubts import BARE, NUMBERS
from validators.battle_mode.imports.line import MANY, MOST_COPIES, OUT
from validators.battle_mode.imports.reader import Reader
from validators.battle_mode.imports.reading import Doubt, LineEntry, Option, Unit, set_for_good, view_of
from validators.battle_mode.mod_rules import fits, fits_model
from validators.contract import ListAnswers


def place_mods(units: Sequence[Unit], edition: Edition, faction: str, ask: Callable[[Unit, Doubt], None]) -> None:
    """Put each mod on the item that the text names with it, else before it, else on the only one that it fits."""
    for unit in units:
        entry = edition.model(unit.model.name, faction)
        loose = [part for part in unit.parts if part.sort == "mod" and part.fixed is None]
        rows = {id(mod) for mod in loose if _stands_by_mod(mod, unit, loose)}
        for mod in loose:
            _place(mod, unit, entry, edition, ask, is_in_row=id(mod) in rows)
        for mod in [part for part in unit.parts if part.sort == "mod" and part.fixed is not None]:
            _fit(mod, entry, edition)


def _fit(mod: LineEntry, entry: ModelEntry | None, edition: Edition) -> None:
    """Of mods of one name for several kinds, "Headlamp (Power Armor)", the one that fits the item."""
    mod_entry, item = edition.mod(mod.name, entry), edition.items.find(mod.fixed.name) if mod.fixed else None
    if mod_entry and item and mod_entry.kinds and not fits(mod_entry, item, entry):
        named = [other for other in edition.mods.values() if other.name.startswith(f"{mod_entry.name} (")]
        if fitting := [other for other in named if fits(other, item, entry)]:
            mod.name = fitting[0].name


def _stands_by_mod(mod: LineEntry, unit: Unit, loose: Sequence[LineEntry]) -> bool:
    """Whether mods follow each other, so that the text names the items first and their mods after them."""
    at = unit.parts.index(mod)
    return any(part in loose for part in (*unit.parts[max(0, at - 1) : at], *unit.parts[at + 1 : at + 2]))


def _place(
    mod: LineEntry, unit: Unit, entry: ModelEntry | None, edition: Edition, ask: Callable[[Unit, Doubt], None], *,
    is_in_row: bool,
) -> None:  # fmt: skip
    known = edition.mod(mod.name, entry)
    has_mod = {id(other.fixed) for other in unit.parts if other.sort == "mod" and other.fixed}
    fitting = [item for item in unit.items if not item.is_out and _fits(mod, item, entry, edition)]
    free = [item for item in fitting if id(item) not in has_mod]
    at = unit.parts.index(mod)
    if known and fits_model(known, entry) and not (at and unit.parts[at - 1] in free):
        return
    if mod.after in free and not (is_in_row and len(fitting) > 1):
        mod.fixed = mod.after
    elif len(free) == 1 and len(fitting) == 1:
        mod.fixed = free[0]
    elif free:
        mod.fixed = free[-1]
        options = [Option(item.name, gettext("On %(item)s", item=item.name), ((mod, "fixed", item),)) for item in free]
        ask(unit, Doubt(mod.line, gettext("%(mod)s: on which item?", mod=mod.name), options))
    elif mod.after is not None:
        mod.fixed = mod.after


def _fits(mod: LineEntry, item: LineEntry, entry: ModelEntry | None, edition: Edition) -> bool:
    mod_entry, base = edition.mod(mod.name, entry), edition.items.find(item.name)
    if mod_entry is None or base is None or not base.takes_mod:
        return False
    named = [mod_entry, *(other for other in edition.mods.values() if other.name.startswith(f"{mod_entry.name} ("))]
    return any(fits(other, base, entry) for other in named)


MOST_VIEWS = 96
"""The most ways to read one unit that are compared; of more, what is left is asked about."""
MOST_WORK = 12_000
"""The most parts that are put together to compare ways of reading a list; what is left then is asked about."""


class Settled:
    def __init__(self, reader: Reader, edition: Edition, answers: ListAnswers) -> None:
        self.reader, self.edition, self.answers = reader, edition, answers
        self.faction, self.units = reader.faction, reader.units
        self.row_of = {row.number: row for row in reader.rows}
        self._work = 0
        self._final: dict[int, Built] = {}
        self._settle()

    def _settle(self) -> None:
        place_mods(self.units, self.edition, self.faction, self._add)
        self._add_all(open_points.built_in(self.units, self.edition, self.faction))
        self._add_all(open_points.numbered(self.units, self.edition, self.faction))
        self._add_all(open_points.shared(self.units))
        self._add_all(open_points.on_several(self.units))
        self._ask_bare()
        self._has_costs = any(cost.is_on and cost.value > MOST_COPIES for unit in self.units for cost in unit.costs)
        for unit in self.units:
            self._by_costs(unit)
        self._by_total()
        self._by_answers()

    def _add(self, unit: Unit, doubt: Doubt) -> None:
        unit.doubts.append(doubt)
        self.row_of[doubt.line].doubts.append(doubt)

    def _add_all(self, doubts: Iterator[tuple[Unit, Doubt, Option | None]]) -> None:
        for unit, doubt, answer in doubts:
            self._add(unit, doubt)
            if answer:
                self._choose(doubt, answer)

    def _ask_bare(self) -> None:
        self._add_all(open_points.bare(self.units, self.edition, self.faction, self.reader.usual_for_all))

    def built(self, unit: Unit) -> Built:
        if id(unit) not in self._final:
            self._final[id(unit)] = Built(unit, {}, self.edition, self.faction)
        return self._final[id(unit)]

    def built_with(self, unit: Unit, option: Option) -> Built | None:
        """A unit with this option; None if too many were built already."""
        self._work += 1 + len(unit.parts)
        return Built(unit, view_of([option]), self.edition, self.faction) if self._work < 2 * MOST_WORK else None

    def is_wrong(self, line: int) -> bool:
        """Whether the edition has another cost than a number on this line."""
        return any(
            cost.line == line and cost.is_on and not unit.model.is_out and self.built(unit).strength(cost) < 0
            for unit in self.units for cost in unit.costs
        )  # fmt: skip

    def open(self, unit: Unit) -> list[Doubt]:
        return [doubt for doubt in unit.doubts if doubt.chosen is None]

    def _choose(self, doubt: Doubt, option: Option) -> None:
        doubt.chosen = option
        set_for_good(option)
        self._final.clear()

    def _views(self, unit: Unit) -> Iterator[tuple[tuple[Option, ...], Built]]:
        doubts, ways = self.open(unit), 1
        counted: list[Sequence[Option]] = []
        for doubt in doubts:
            ways *= len(doubt.options)
            counted.append(doubt.options if ways <= MOST_VIEWS else doubt.options[:1])
        for options in product(*counted):
            self._work += 1 + len(unit.parts)
            if self._work > MOST_WORK:
                return
            yield options, Built(unit, view_of(options), self.edition, self.faction)

    def _best(self, unit: Unit) -> list[tuple[tuple[Option, ...], Built]]:
        """The ways to read a unit that its costs fit best, of equal ones the plainest."""
        doubts = self.open(unit)
        ways = [
            ((wrong, -fit, sum(doubt.is_soft and option is not doubt.options[0] for doubt, option in
                               zip(doubts, options, strict=True))), options, built)
            for options, built in self._views(unit) for wrong, fit in [built.fit()]
        ]  # fmt: skip
        best = min((way[0] for way in ways), default=None)
        return [(options, built) for rank, options, built in ways if rank == best]

    def _by_costs(self, unit: Unit) -> None:
        doubts = self.open(unit)
        if not doubts:
            return
        best = self._best(unit)
        if not best:
            return
        _, built = best[0]
        decided = bool(unit.costs) and built.fit()[0] == 0 and built.fit()[1] > 0
        outcomes = {repr(other.models) for _, other in best}
        for place, doubt in enumerate(doubts):
            options = {options[place].key: options[place] for options, _ in best}
            is_left_out = any(option.key in (OUT, MANY) for option in options.values())
            is_left_out = is_left_out or (doubt.needs_costs and not self._has_costs)
            if (len(options) == 1 and (doubt.is_soft or (decided and not doubt.must_ask and not is_left_out))) or (
                len(outcomes) == 1 and decided and not doubt.must_ask and not is_left_out
            ):
                self._choose(doubt, next(iter(options.values())))

    def stated(self) -> int | None:
        """The list's own total, as the file or a line of the text says it."""
        if self.reader.written.total is not None:
            return self.reader.written.total
        totals = [row.numbers[0] for row in self.reader.rows if row.state == "total" and row.numbers]
        return totals[-1] if totals else self.reader.head_total

    def total(self) -> int:
        return sum(self.built(unit).caps for unit in self.units) + self._loose()

    def _loose(self) -> int:
        cards = (
            self.edition.leader_cards.find(card["name"] or card["kind"])
            for card in self.reader.loose_cards
            if card["kind"] == "Leader"
        )
        return sum(card.caps for card in cards if card)

    def _by_total(self) -> None:
        """Choose what is open where exactly one way gives the total that the list says."""
        stated = self.stated()
        open_units = [unit for unit in self.units if any(not d.must_ask for d in self.open(unit))]
        if stated is None or not open_units or any(d.must_ask for unit in self.units for d in self.open(unit)):
            return
        rest = self.total() - sum(self.built(unit).caps for unit in open_units)
        has_bare = any(d.question == BARE for unit in open_units for d in self.open(unit))
        fitting: list[list[tuple[Unit, tuple[Option, ...]]]] = []
        for bare in ("unarmed", "usual") if has_bare else ("",):
            for numbers in ("copies", "lines"):
                ways = [self._ways(unit, (bare, numbers)) for unit in open_units]
                fitting += _with_sum(ways, stated - rest)
                if not any(d.question == NUMBERS for unit in open_units for d in self.open(unit)):
                    break
        if len(fitting) != 1:
            return
        chosen: dict[Doubt, Option] = {}
        for unit, options in fitting[0]:
            for doubt, option in zip(self.open(unit), options, strict=True):
                if chosen.setdefault(doubt, option) is not option:
                    return  # a question of two models, with an answer for each
        for doubt, option in chosen.items():
            self._choose(doubt, option)

    def _ways(self, unit: Unit, answers: tuple[str, ...]) -> list[tuple[Unit, tuple[Option, ...], int]]:
        """The different outcomes of a unit that its costs fit best, with these answers to the questions of the list."""
        doubts = self.open(unit)
        rows: dict[str, tuple[int, tuple[Unit, tuple[Option, ...], int]]] = {}
        for options, built in self._views(unit):
            if all(not d.question or o.key in answers for d, o in zip(doubts, options, strict=True)):
                rows.setdefault(repr(built.models), (built.fit()[0], (unit, options, built.caps)))
        least = min((wrong for wrong, _ in rows.values()), default=0)
        return [way for wrong, way in rows.values() if wrong == least]

    def _by_answers(self) -> None:
        self._by_answers_for_all()
        for row in self.reader.rows:
            keys = self.answers.get(str(row.number), "").split(";")
            while keys and (open_ := row.asked) and self._answer(open_[0], keys[0]):
                row.answered.append(keys.pop(0))
                self._ask_bare()
                for unit in self.units:
                    if open_[0] in unit.doubts:
                        self._by_costs(unit)
        self._by_answers_for_all()  # also what the answers for lines asked anew

    def _by_answers_for_all(self) -> None:
        for unit in self.units:
            for doubt in self.open(unit):
                self._answer(doubt, self.answers.get(doubt.question, ""))

    def _answer(self, doubt: Doubt, key: str) -> bool:
        option = next((option for option in doubt.options if option.key == key), None)
        if option:
            self._choose(doubt, option)
        return option is not None


def _with_sum(
    ways: Sequence[Sequence[tuple[Unit, tuple[Option, ...], int]]], wanted: int
) -> list[list[tuple[Unit, tuple[Option, ...]]]]:
    """Up to two choices of a way for each unit whose costs have this sum."""
    sums: dict[int, list[list[tuple[Unit, tuple[Option, ...]]]]] = {0: [[]]}
    for unit_ways in ways:
        more: dict[int, list[list[tuple[Unit, tuple[Option, ...]]]]] = {}
        for so_far, chosen in sums.items():
            for unit, options, caps in unit_ways:
                if so_far + caps <= wanted:
                    kept = more.setdefault(so_far + caps, [])
                    kept += [[*way, (unit, options)] for way in chosen[: 2 - len(kept)]]
        sums = more
        if len(sums) > 2_000:
            return []
    return sums.get(wanted, [])
