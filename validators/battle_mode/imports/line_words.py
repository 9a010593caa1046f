"""Questions about the pieces of a line: is it about the whole list, does it mark a model, may it be a title."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from validators.battle_mode.imports.names import PARTS, Names, Sort, words_of
from validators.battle_mode.imports.scan import Piece
from validators.battle_mode.imports.words import meanings
from validators.names import fold

_LONGEST_SORTING = 3
_MODELS: tuple[Sort, ...] = ("model",)
_OF_GAME = ("model", "built in", *PARTS)


@dataclass(frozen=True)
class Mark:
    """A line that gives a model a role: "Leader: Piper". ``is_statement`` is false for "Piper, leader"."""

    model: tuple[str, ...]
    role: str
    cards: tuple[str, ...]
    is_statement: bool


def words_of_text(text: str) -> list[str]:
    """The words of a program's name for something, without what it sorts by ("zU Settler")."""
    first, _, rest = text.strip().partition(" ")
    is_sorting = rest and first[:1] == "z" and first[1:].isupper() and len(first) <= _LONGEST_SORTING
    return words_of(rest if is_sorting else text)


def meaning(key: str) -> str:
    """What the table says of a phrase; "" for nothing."""
    return meanings().get(key, "")


def title_in(text: str, names: Names) -> str:
    """The name of the force in a title, without its faction and its cost: "Survivors - Home Guard - [325 pts]"."""
    pieces = [piece.strip(" #+=*_") for piece in text.split(" - ")]
    parts = [piece for piece in pieces if piece and piece[0] != "[" and not names.whole("".join(words_of(piece)), "")]
    return " ".join((parts[0] if parts else text).split())[:80]


def has_names(pieces: Sequence[Piece]) -> bool:
    return any(piece.kind == "name" and any(name.sort in _OF_GAME for name in piece.names) for piece in pieces)


def names_model(pieces: Sequence[Piece]) -> bool:
    first = next((piece for piece in pieces if piece.kind == "name"), None)
    return first is not None and any(name.sort == "model" for name in first.names)


def is_not_taken(pieces: Sequence[Piece]) -> bool:
    """Whether a line says of names, and of nothing else, that they are not taken: "no Sinjin", "Maybe: Sinjin"."""
    first, *rest = [piece for piece in pieces if piece.kind != "sign"]
    only_names = all(piece.kind in ("name", "number", "copies") or piece.means("filler", "and") for piece in rest)
    return first.means("reserve") or (first.means("without") and only_names)


def is_heading(pieces: Sequence[Piece]) -> bool:
    """Whether known words that name nothing of the game are a heading, or the size of a game."""
    has_number = any(piece.kind in ("number", "cost") for piece in pieces)
    says_so = faction_in(pieces) is not None or any(
        piece.means("heading", "left", "footer") or (piece.means("size", "total", "caps") and has_number)
        or (piece.kind == "name" and any(name.sort == "kind" for name in piece.names)) or piece.kind == "cost"
        for piece in pieces
    )  # fmt: skip
    counts = any(piece.kind == "copies" for piece in pieces) or (pieces[0].kind == "number" and len(pieces) > 1)
    is_counted = counts and faction_in(pieces) is not None  # "2x Mutants" are models
    return says_so and not is_counted and not any(
        piece.means("or", "instead", "with", "leader", "heroic") for piece in pieces
    )  # fmt: skip


def faction_in(pieces: Sequence[Piece]) -> str | None:
    for piece in pieces:
        for name in piece.names:
            if name.sort == "faction":
                return name.name
        if piece.meaning.startswith("faction "):
            return piece.meaning.removeprefix("faction ")
    return None


def is_about_list(pieces: Sequence[Piece], after_models: bool) -> bool:
    """Whether a line names a faction and the size of a game: "Raiders 750". "Raider" alone is a model."""
    if after_models or faction_in(pieces) is None:
        return False
    for before, piece in zip((None, *pieces), pieces, strict=False):
        if piece.kind == "copies" or piece.means("with", "leader", "heroic"):
            return False
        words = f"{before.text} {piece.text}" if before and before.means("filler") else piece.text
        if piece.kind == "name" and not _is_faction(piece, words):
            return False
    first = pieces[0]
    return not (first.kind == "number" and len(pieces) > 1 and pieces[1].kind == "name")


def _is_faction(piece: Piece, words: str) -> bool:
    factions = [name.name for name in piece.names if name.sort == "faction"]
    others = [name.name for name in piece.names if name.sort in _OF_GAME]
    return bool(factions) and (not others or any(fold(name) in (fold(words), fold(piece.text)) for name in factions))


def models_named(rows: Sequence[Sequence[Piece]]) -> list[Counter[str]]:
    return [
        Counter(name.name for piece in row if piece.kind == "name" for name in piece.names if name.sort == "model")
        for row in rows
    ]


def mark_of(pieces: Sequence[Piece]) -> Mark | None:
    """The role that a line gives a model, or the Leader card that it names, if it says nothing else."""
    names = [piece for piece in pieces if piece.kind == "name"]
    roles = [piece.meaning for piece in pieces if piece.means("leader", "heroic", "card")]
    plain = all(
        piece.kind == "name" or piece.is_sign("-:=.,()[]") or piece.means("leader", "heroic", "card", "is", "filler")
        for piece in pieces
    )
    if not plain or not roles or not 1 <= len(names) <= 2:
        return None
    cards = [name.name for piece in names for name in piece.names if name.sort == "card"]
    models = [[name.name for name in piece.names if name.sort == "model"] for piece in names]
    first_word = next(piece for piece in pieces if piece.kind != "sign")
    role_first = first_word.kind == "word" and first_word.means("leader", "heroic", "card")
    is_card_line = "card" in roles or (role_first and len(names) == 1 and bool(cards) and "heroic" not in roles)
    if is_card_line and cards and len(names) == 1:
        return Mark((), "leader" if "leader" in roles else "card", tuple(cards[:1]), True)
    is_said = any(piece.means("is") or piece.is_sign("=") for piece in pieces)
    named = next((model for model in models if model), None)
    if named is None or (len(names) == 2 and not (cards and models[1] != named)):
        return None
    role = "heroic" if roles == ["heroic"] else "leader"
    return Mark(tuple(named), role, tuple(cards[:1]) if len(names) == 2 else (), role_first or is_said)


def may_be_title(pieces: Sequence[Piece], names: Names, faction: str) -> bool:
    """Whether words that nobody knows, before the first model, name the list rather than a model."""
    if any(
        piece.kind == "copies" or piece.means("with", "leader", "heroic", "or", "instead", "each") for piece in pieces
    ):
        return False
    unknown = [piece for piece in pieces if piece.kind in ("unknown", "name") or piece.means("heading")]
    words = [word for piece in unknown for word in piece.words]
    for size in (4, 3, 2):
        for start in range(len(words) - size + 1):
            run = tuple(words[start : start + size])
            found, _ = names.short(run, ("model", "item"))
            if found:
                return False
    near = names.with_any(words, names.models_of(faction), _MODELS) if len(words) <= 2 else []
    return not near or faction_in(pieces) is not None
