"""From a line to its pieces: names, words of the table, numbers, costs, separators; what is none of them is unknown."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from validators.battle_mode.imports.names import Name, Names
from validators.battle_mode.imports.words import form, meanings

PieceKind = Literal["name", "word", "number", "copies", "cost", "sign", "unknown"]
MOST_WORDS = 10
"""The most words of one name or phrase."""
MOST_TOKENS = 300
"""The most words and signs of one line that are read."""
_NO_MARKS = ".'’)"
"""Signs within a name that do not part it."""
_TOKEN = re.compile(r"(?P<number>\d{1,3}(?:[.,]\d{3})+(?!\w)|\d+(?!\w))|(?P<word>\w+(?:['’]\w+)*)|(?P<sign>-+>|=+>|\S)")
_COPIES = re.compile(r"(\d{1,4})x|x(\d{1,4})", re.IGNORECASE)
_COSTS = re.compile(r"(\d{1,5})([^\W\d]+)")


@dataclass(frozen=True)
class Token:
    """A word, a number or a sign of a line, with its form for comparing."""

    kind: str
    text: str
    form: str
    tight: bool
    """Whether it follows the token before it without a space."""


@dataclass
class Piece:
    """A piece of a line. ``words`` are its forms, ``value`` its number, ``meaning`` that of the table, ``gap`` a space
    before it.
    """

    kind: PieceKind
    text: str
    names: tuple[Name, ...] = ()
    meaning: str = ""
    value: int = 0
    words: tuple[str, ...] = ()
    tight: bool = False
    notes: list[str] = field(default_factory=list)

    def means(self, *meanings: str) -> bool:
        return self.kind == "word" and self.meaning in meanings

    def is_sign(self, signs: str) -> bool:
        return self.kind == "sign" and self.text in signs

    @property
    def is_count(self) -> bool:
        return self.kind in ("number", "copies")


def pieces_of(text: str, names: Names, faction: str) -> list[Piece]:
    tokens = list(_tokens(text))
    return list(_merged(_pieces(tokens, names, faction)))


def _tokens(text: str) -> Iterator[Token]:
    end = 0
    for match in _TOKEN.finditer(text):
        yield Token(match.lastgroup or "", match[0], form(match[0]), match.start() == end and end > 0)
        end = match.end()


def _pieces(tokens: Sequence[Token], names: Names, faction: str) -> Iterator[Piece]:
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if at >= MOST_TOKENS:
            yield Piece("unknown", " ".join(other.text for other in tokens[at:])[:80])
            return
        if token.text == "." and token.tight:  # the end of a sentence or of a word cut short
            at += 1
            continue
        if token.kind == "sign" and token.text not in "&" and not (token.text == "." and _joins(tokens, at)):
            yield Piece("sign", token.text, tight=token.tight)
            at += 1
            continue
        end, piece = _longest(tokens, at, names, faction)
        if piece is None:
            end, piece = _single(tokens, at)
        piece.tight = token.tight
        yield piece
        at = end


def _joins(tokens: Sequence[Token], at: int) -> bool:
    """Whether a dot begins a name: ".44 Revolver"."""
    return at + 1 < len(tokens) and tokens[at + 1].kind == "number" and tokens[at + 1].tight


def _longest(tokens: Sequence[Token], at: int, names: Names, faction: str) -> tuple[int, Piece | None]:
    key, marks, count = "", "", 0
    best: tuple[int, Piece | None] = (at, None)
    words: list[str] = []
    for place in range(at, min(len(tokens), at + 3 * MOST_WORDS)):
        token = tokens[place]
        if token.kind == "sign" and token.text != "&":
            is_tight_dash = token.text == "-" and token.tight and place + 1 < len(tokens) and tokens[place + 1].tight
            if not (is_tight_dash or token.text in _NO_MARKS):
                marks += token.text
            if len(marks) > 3:
                break
            continue
        word = "and" if token.text == "&" else token.form
        if not word:
            break
        key, count = key + word, count + 1
        words.append(word)
        if count > MOST_WORDS:
            break
        matches = names.whole(key, marks)
        if not marks and (model := names.own_model(faction, key)):
            matches = (Name("model", model), *matches)
        text = _text(tokens[at : place + 1])
        end = place + 1
        if matches:
            if "(" in marks and end < len(tokens) and tokens[end].text == ")":
                end += 1
            best = end, Piece("name", text, matches, meaning=_meaning(key), words=tuple(words))
        elif not marks.replace("/", "") and (meaning := _meaning(key)):
            if meaning == "with" and end < len(tokens) and tokens[end].text == "/":
                end += 1
            best = end, _word(text, meaning, tuple(words))
    return best


def _meaning(key: str) -> str:
    return meanings().get(key, "")


def _word(text: str, meaning: str, words: tuple[str, ...]) -> Piece:
    if meaning.startswith("number "):
        return Piece("number", text, value=int(meaning.removeprefix("number ")), meaning="number", words=words)
    return Piece("word", text, meaning=meaning, words=words)


def _text(tokens: Sequence[Token]) -> str:
    return "".join(token.text if token.tight or not place else f" {token.text}" for place, token in enumerate(tokens))


def _single(tokens: Sequence[Token], at: int) -> tuple[int, Piece]:
    token = tokens[at]
    if token.kind == "number":
        return at + 1, Piece("number", token.text, value=int(re.sub(r"[.,]", "", token.text)[:9]))
    is_hyphened = at + 2 < len(tokens) and tokens[at + 1].text == "-" and tokens[at + 1].tight and tokens[at + 2].tight
    if (match := _COPIES.fullmatch(token.text)) and not is_hyphened:  # "X6-88" is no number of copies
        return at + 1, Piece("copies", token.text, value=int(match[1] or match[2]))
    if (match := _COSTS.fullmatch(token.text)) and _meaning(form(match[2])) == "caps":
        return at + 1, Piece("cost", token.text, value=int(match[1]))
    end = at + 1
    while end + 1 < len(tokens) and tokens[end].text == "-" and tokens[end].tight and tokens[end + 1].tight:
        end += 2
    words = tuple(other.form for other in tokens[at:end] if other.form)
    return end, Piece("unknown", _text(tokens[at:end]), words=words)


def _merged(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Numbers with the words that say what they count: "12 caps", "3 x", "x 3", "caps: 12"."""
    kept: list[Piece] = []
    for piece in pieces:
        before = kept[-1] if kept else None
        is_x = piece.kind == "unknown" and piece.text in "xX"
        if before and before.kind == "number" and before.meaning != "number" and piece.means("caps"):
            kept[-1] = Piece("cost", f"{before.text} {piece.text}", value=before.value, tight=before.tight)
        elif before and before.kind == "number" and is_x:
            kept[-1] = Piece("copies", f"{before.text}x", value=before.value, tight=before.tight)
        elif before and before.kind == "unknown" and before.text in "xX" and piece.kind == "number":
            kept[-1] = Piece("copies", f"x{piece.value}", value=piece.value, tight=before.tight)
        elif piece.kind == "number" and before and before.means("caps", "costs"):
            kept[-1] = Piece("cost", f"{before.text} {piece.text}", value=piece.value, tight=before.tight)
        elif (
            piece.kind == "number"
            and len(kept) > 1
            and before
            and before.is_sign(":=")
            and kept[-2].means("caps", "costs")
        ):
            kept[-2:] = [Piece("cost", f"{kept[-2].text}: {piece.text}", value=piece.value, tight=kept[-2].tight)]
        else:
            kept.append(piece)
    yield from kept
