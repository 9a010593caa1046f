"""Numbers of a list that are no copies: places of lines ("1 Piper", "2 Cait"), and of twins ("Raider 2:")."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from validators.battle_mode.imports.lines import Line
from validators.battle_mode.imports.selections import Unread
from validators.battle_mode.imports.vocabulary import Entry, Vocabulary


@dataclass(frozen=True)
class Numbering:
    """The numbers 1, 2, 3 of a list, by line, and its lines without them.

    ``proven`` says that they are not copies, as a unique model would have some.
    """

    numbers: dict[int, int]
    lines: list[Line]
    proven: bool = False

    def asked(self, models: Sequence[Entry], words: Vocabulary, *, as_copies: bool) -> list[Unread]:
        """The question whether the numbers are copies, unless the costs or the total of the text answer it."""
        read = [model for model in models if self.numbers.get(model.line, 0) > 1]
        if self.proven or (as_copies and all(_is_cost_of_copies(model, words) for model in read)):
            return []
        text = f"{', '.join(map(str, self.numbers.values()))}: numbers of copies, or of the lines"
        return [Unread(min(self.numbers), text, priced=True, until_total=True)]


def numbering(lines: Sequence[Line], models: Sequence[Entry], words: Vocabulary) -> Numbering | None:
    """The numbers in these lines that may be no copies; ``models`` are those read with the numbers as copies."""
    leading = {line.number: 0 for line in lines if line.tokens and line.tokens[0].kind == "number"}
    twins: dict[str, dict[int, int]] = defaultdict(dict)
    for line in lines:
        place = next((place for place, token in enumerate(line.tokens) if token.kind != "word"), 0)
        if place and line.tokens[place].kind == "number":
            twins[line.text[: line.tokens[place].start].strip().casefold()][line.number] = place
    for least, places in ((2, leading), *((1, found) for found in twins.values())):
        values = {line.number: line.tokens[places[line.number]].value for line in lines if line.number in places}
        read = [model for model in models if model.line in values]
        if len(values) < 2 or list(values.values()) != list(range(1, len(values) + 1)) or len(read) < len(values):
            continue
        numbered = {number: value for number, value in values.items() if value}
        proven = any(numbered[model.line] > 1 and words.names.is_unique(model.name) for model in read)
        again = len({model.name for model in read}) < len(read)
        if proven or ((len(values) > least or again) and not any(words.is_plural(model) for model in read)):
            return Numbering(numbered, [_without(line, places) for line in lines], proven)
    return None


def _without(line: Line, places: dict[int, int]) -> Line:
    place = places.get(line.number)
    return line if place is None else replace(line, tokens=line.tokens[:place] + line.tokens[place + 1 :])


def _is_cost_of_copies(model: Entry, words: Vocabulary) -> bool:
    """Whether its cost is that of all copies, and not of one."""
    one = replace(model, copies=1)
    return model.cost is not None and model.cost in words.costs(model) - words.costs(one)
