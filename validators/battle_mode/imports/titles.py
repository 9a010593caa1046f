"""Lines of a list that name its faction, its size or the force, and whether such a line may rather be a lost model."""

import re
from collections.abc import Iterator

from validators.battle_mode.imports.line_names import NUMBERS
from validators.battle_mode.imports.lines import Line
from validators.battle_mode.imports.short_names import faction_in
from validators.battle_mode.imports.vocabulary import Vocabulary, neighbours

_PLAIN_WORDS = frozenset((
    "my", "our", "the", "a", "an", "this", "is", "here", "new", "for", "of", "and", "list", "army", "force", "team",
    "roster", "warband", "crew", "faction", "keyword", "game", "battle", "mode", "caps", "cap", "pts", "pt", "points",
    "point", "c", "cp", "size", "limit", "max", "total", "at", "in", "saturday", "sunday", "friday",
))  # fmt: skip
"""Words of titles that say nothing about a model."""
_FIELDS = re.compile(
    r"\W*(?:faction|faction keyword|army|force|list|name|player|event|date|subject|betreff|from|to|re|fwd?|points|caps"
    r"|size|limit|club|tournament|edition)\s*:",
    re.IGNORECASE,
)
"""What stands before the colon of a line about the list as a whole."""
_NO_COUNT = re.compile(r"\b(?:page|seite|strona|round|game|table|day|version|v)\b", re.IGNORECASE)
_LEAST_SIZE = 200
"""The least number that may be the size of a game."""


def pieces_of(line: Line) -> Iterator[str]:
    """The pieces of a line between brackets, dashes and colons."""
    yield line.text
    yield from (piece.strip() for piece in re.split(r"[()\[\]:|,]|\s-\s", line.text) if piece.strip())
    yield from (re.sub(r"\s*[\[(]?\d[\d,.]*.*$", "", piece).strip() for piece in line.text.split(" - "))


def faction_of(line: Line, words: Vocabulary) -> str:
    """The faction that a line before all models names; "" for none or several."""
    named = next((name for piece in pieces_of(line) if (name := words.names.faction(piece))), "")
    return named or faction_in(line.text, words.names.factions())


def is_plain(line: Line, words: Vocabulary) -> bool:
    """Whether a line is nothing but a title: a faction's name, the size of the game, and words such as "my list"."""
    pieces = (piece.strip() for piece in re.split(r"[()\[\]:|,/!]|\s-\s", line.text))
    return all(not piece or words.names.is_faction(piece) or _is_plain(piece, words) for piece in pieces)


def _is_plain(piece: str, words: Vocabulary) -> bool:
    spoken = re.findall(r"\d+|[^\W\d_]+", piece)
    named = _spoken_for(piece, words)
    rest = [word for word in spoken if word.casefold() not in _PLAIN_WORDS]
    sizes = [word for word in rest if word.isdigit() and int(word) >= _LEAST_SIZE]
    others = [word for word in rest if word not in sizes]
    return all(word.casefold() in named for word in others) or words.names.is_faction(" ".join(others))


def _spoken_for(piece: str, words: Vocabulary) -> set[str]:
    """The words of the faction that is named here, and its first letters."""
    own = re.findall(r"\w+", faction_in(piece, words.names.factions()).casefold())
    return {*own, *(word.removesuffix("s") for word in own), "".join(word[0] for word in own)}


def may_be_model(line: Line, words: Vocabulary, *, title: bool) -> bool:
    """Whether a line before all models that was not read may be a model; ``title`` says that it may be a title.

    It has a count, a cost, "with", a colon, or a name of the edition. A line that is no title may be a model for
    any word of a name.
    """
    if is_plain(line, words) or not re.search(r"[^\W\d_]{2}", line.text):
        return False
    text = re.sub(r"\w+['’]s\b", "", _FIELDS.sub("", line.text))
    if re.search(r":\s*\w|\bw/|\b(?:with|w|mit|avec|carrying|armed)\b", text, re.IGNORECASE):
        return True
    first = line.tokens[0]
    if first.text.casefold() in NUMBERS and NUMBERS[first.text.casefold()] > 1:
        return True
    counted = any(
        token.kind == "copies"
        or (token.kind == "cost" and not _is_size(token.value))
        or (token.kind == "number" and token in (line.tokens[0], line.tokens[-1]) and not _is_size(token.value))
        for token in line.tokens
    )
    if counted and not _NO_COUNT.search(text):
        return True
    if words.mentions(text) or any(words.is_near_model(piece) for piece in _near(text)):
        return True
    spoken = set(re.findall(r"[^\W\d_]{3,}", text.casefold())) - _spoken_for(text, words) - _PLAIN_WORDS
    return not title and any(map(words.stands_in_name, spoken))


def _is_size(figure: int | None) -> bool:
    return figure is None or (figure >= _LEAST_SIZE and figure % 50 == 0)


def _near(text: str) -> Iterator[str]:
    """The text, and all of its words that stand next to each other in pairs and in threes."""
    yield " ".join(neighbours(text, 1))
    yield from neighbours(text, 2, 3)
