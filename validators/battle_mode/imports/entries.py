"""A line with names: models with their parts, or parts of the model above. Called by ``reader`` for each such line."""

from collections.abc import Sequence

from languages.words import gettext
from validators.battle_mode.imports.guesses import ask_unknown, guess_at, note_guess
from validators.battle_mode.imports.line import (
    CLOSES,
    ENDS,
    OPENS,
    OUT,
    PastedLine,
    copies_of,
    has_part,
    what_is,
)  # fmt: skip
from validators.battle_mode.imports.lines import ARROW, CUT, UNTICKED
from validators.battle_mode.imports.names import PARTS, Name
from validators.battle_mode.imports.numbers import check_copies, check_repeated, read_number
from validators.battle_mode.imports.reading import LineEntry, Option, Unit
from validators.battle_mode.imports.scan import Piece

_ARROWS = (ARROW, "->", "=>", "-->")
_ODD = (UNTICKED, CUT, "?", "^", "~", "<", ">", "%")


def read_entries(line: PastedLine) -> None:
    at = 0
    while at < len(line.pieces):
        at = _piece(line, line.pieces[at], at)
    _end(line)


def _piece(line: PastedLine, piece: Piece, at: int) -> int:
    if piece.kind == "sign":
        _sign(line, piece.text)
    elif piece.kind == "word":
        _word(line, piece, at)
    else:
        end, guess, owner = guess_at(line, at)
        if guess:
            _take_guess(line, line.pieces[at:end], guess.names, owner)
            return end
        if piece.kind == "unknown":
            return ask_unknown(line, at)
        if piece.kind == "name":
            _name(line, piece, at)
        else:
            read_number(line, piece, at)
    return at + 1


def _sign(line: PastedLine, sign: str) -> None:
    if sign in _ARROWS:
        line.either.append((sign, len(line.row.parts)))
    elif sign in _ODD:
        line.odd.append(sign)
    elif sign in OPENS:
        line.brackets += 1
        _begin_mods(line)
        line.sep = sign
    elif sign in CLOSES:
        line.brackets -= 1
        line.host = line.host if line.brackets else None
        line.sep = sign
    else:
        if sign == ":":
            _begin_mods(line)
        elif (
            sign in ENDS
            and not line.brackets
            and line.sep != ":"
            and not (line.head is None and len(line.row.parts) == 1)
        ):
            line.host = None  # on a line of one item, "Combat Rifle: Long Barrel, Silenced", all mods are its own
        line.sep = sign


def _begin_mods(line: PastedLine) -> None:
    if line.last is not None and line.last.sort == "item" and line.sep == "":
        line.host = line.last


def _word(line: PastedLine, piece: Piece, at: int) -> None:
    meaning = piece.meaning
    if line.is_without and meaning in ("heading", "unarmed"):
        line.is_without, meaning = False, "unarmed"
    match meaning:
        case "with":
            _begin_mods(line)
            line.after_with = line.after_with or (line.head is not None and not line.row.parts)
            line.sep = "with"
        case "and":
            line.sep = "and"
        case "filler":
            pass
        case "is" | "card" | "heading" | "them" | "caps" | "costs" | "total":
            line.sep = line.sep or " "
        case "leader" | "heroic" if line.is_without:
            line.is_without = False
            line.ask(gettext("Without %(part)s", part=piece.text))
        case "leader" | "heroic":
            if line.is_empty and _begins_model(line):
                line.roles.add(meaning)
            elif line.unit:
                line.give(line.unit, meaning)
            line.sep = line.sep or " "
        case "each" if line.last is not None:
            line.last.each = True
        case "rest":
            line.groups = -1
        case "without":
            line.is_without = True
        case "unarmed" | "usual" if line.unit:
            line.unit.is_armed, line.unit.is_usual = True, meaning == "usual"
        case "or" | "instead":
            line.either.append((piece.text, len(line.row.parts)))
        case _ if not (meaning.startswith("faction") and _begins_model(line, at + 1)):
            line.ask(piece.text)


def _begins_model(line: PastedLine, start: int = 0) -> bool:
    named = next((piece for piece in line.pieces[start:] if piece.kind in ("name", "unknown")), None)
    return named is not None and (named.kind == "unknown" or any(name.sort == "model" for name in named.names))


def _name(line: PastedLine, piece: Piece, at: int) -> None:
    unit, before = line.unit, line.piece(at - 1)
    models = [name.name for name in piece.names if name.sort == "model"]
    own = [name for name in models if line.is_own(name)]
    parts = [name for name in piece.names if name.sort in PARTS]
    line.after_role = False
    if (
        before
        and line.sep == ""
        and before.kind == "name"
        and (set(piece.words) <= set(before.words) or set(before.words) <= set(piece.words))
    ):
        line.ask(piece.text)
    elif not models and not parts:
        _other_name(line, piece, at)
    elif _is_before_own_model(line, piece, at):
        return
    elif line.is_empty:
        is_deeper = unit is not None and line.row.written.depth > unit.depth
        is_bare = line.copies is None and not any(map(has_part, line.pieces[at + 1 :]))
        if parts and unit and (not own or (is_deeper and is_bare)):
            _part(line, parts)
        elif parts and unit and (unit.flush_parts or is_deeper):
            _model_or_part(line, own[0], parts, unit)
        elif models:
            _model(line, (own or models)[0], piece)
        else:
            line.ask(piece.text, (), gettext("%(part)s: for which model?", part=piece.text))
    elif parts and (not own or line.brackets or line.sep in (":", "with") or line.copies is not None):
        _part(line, parts)
    elif parts and unit:
        _model_or_part(line, own[0], parts, unit)
    elif line.sep in ("", ")") or line.brackets:
        line.ask(piece.text, tuple(Name("model", name) for name in (own or models)))
    else:
        _model(line, (own or models)[0], piece)
    line.sep = ""


def _is_before_own_model(line: PastedLine, piece: Piece, at: int) -> bool:
    """Whether the piece is the faction's name before a model of it: "Super Mutant Brute"."""
    follows = line.piece(at + 1)
    is_faction = piece.meaning.startswith("faction") or any(name.sort == "faction" for name in piece.names)
    if not is_faction or line.head is not None or follows is None:
        return False
    are_models = bool(follows.names) and all(name.sort == "model" for name in follows.names)
    return are_models and any(line.is_own(name.name) for name in follows.names)


def _other_name(line: PastedLine, piece: Piece, at: int) -> None:
    follows, sorts = line.piece(at + 1), {name.sort: name.name for name in piece.names}
    if "built in" in sorts and line.unit:
        line.row.notes.append(gettext("%(part)s is built in", part=sorts["built in"]))
        line.row.ours = line.row.ours or (sorts["built in"] if line.head is None else "")
    elif "kind" in sorts and line.is_without and line.unit:
        line.unit.is_armed, line.is_without = True, False
    elif "faction" in sorts and (_begins_model(line, at + 1) or line.brackets):
        pass
    elif "faction" in sorts:
        line.ask(piece.text)
    elif not (follows and (follows.is_sign(":") or follows.kind == "name")):
        line.ask(piece.text, _of_kind(line, sorts.get("kind", "")))
    line.sep = line.sep or " "


def _of_kind(line: PastedLine, kind: str) -> tuple[Name, ...]:
    """The items of a kind that the model is usually bought with, else some that it may have."""
    names, model = line.so_far.names, line.unit.model.name if line.unit else ""
    entry, scope = names.model(model, line.so_far.faction), names.parts_of(line.so_far.faction, model)
    items = [item.name for item in names.edition.items.values() if kind in (item.kind, item.category)]
    usual = [name for name in items if entry and name in entry.usual]
    return tuple(Name("item", name) for name in usual or [name for name in items if name in scope][:6])


def _model(line: PastedLine, name: str, piece: Piece) -> None:
    first = line.pieces[0]
    entry = LineEntry("model", name, line.row.number, line.take_copies())
    is_plural = _is_plural(piece.text, name)
    entry.is_numbered = first.kind == "number" and not first.meaning and line.head is None and not is_plural
    line.head = line.so_far.begin(line.row, entry)
    line.plural = line.head if is_plural and entry.copies is None else None
    line.host = None
    for role in sorted(line.roles):
        line.give(line.head, role)
    line.roles.clear()
    line.last = entry
    if not line.is_own(name):
        out = Option(OUT, gettext("Leave it out"), ((entry, "is_out", True),))
        sentence = gettext("%(name)s is no model of %(faction)s", name=name, faction=line.so_far.faction)
        line.doubt(sentence, Option("keep", gettext("As read")), out, must_ask=True)
    check_copies(line, entry, line.head)
    if line.sep == "/" and len(line.row.units) > 1:
        other = line.row.units[-2].model
        options = [
            Option("both", gettext("As read")),
            Option(other.name, other.name, ((entry, "is_out", True),)),
            Option(entry.name, entry.name, ((other, "is_out", True),)),
        ]
        line.doubt(what_is("/"), *options, must_ask=True)


def _is_plural(text: str, name: str) -> bool:
    typed, singular = text.casefold().split(), name.casefold().split()
    ends = typed[-1].endswith(("s", "men")) and typed[-1] not in singular
    return ends or (typed[0] == "children" and singular[0] != "children")


def _part(line: PastedLine, names: Sequence[Name]) -> LineEntry | None:
    unit = line.unit
    if unit is None:
        return None
    scope = line.so_far.names.parts_of(line.so_far.faction, unit.model.name)
    name = next((name for name in names if name.name in scope), names[0])
    if line.host is not None:
        name = next((other for other in names if other.sort == "mod"), name)
    elif not unit.items:
        name = next((other for other in names if other.sort != "mod" and other.name in scope), name)
    entry = line.last = LineEntry(name.sort, name.name, line.row.number, line.take_copies())
    entry.groups, line.groups = line.groups, 0
    if line.is_without:
        _without(line, entry, unit)
        return None
    if entry.sort == "mod":
        entry.fixed, entry.after = line.host, unit.items[-1] if unit.items else None
    if line.sep == "/" and line.row.parts and {entry.sort, line.row.parts[-1].sort} == {"item"}:
        line.slashed += [*([] if line.slashed else [line.row.parts[-1]]), entry]
    line.row.parts.append(entry)
    if entry.sort == "card" and line.head is None:
        line.so_far.cards.append((line.row, entry, unit))
        return entry
    unit.parts.append(entry)
    unit.flush_parts = unit.flush_parts or (line.head is None and line.row.written.depth <= unit.depth)
    check_copies(line, entry, unit)
    if entry not in line.slashed:
        check_repeated(line, entry, unit)
    return entry


def _without(line: PastedLine, entry: LineEntry, unit: Unit) -> None:
    """ "without" before a part: what a model usually has, else a question."""
    line.is_without = False
    model = line.so_far.names.model(unit.model.name, line.so_far.faction)
    line.row.notes.append(gettext("Without %(part)s", part=entry.name))
    if model and entry.name in model.usual:
        unit.is_armed = True
    else:
        unit.parts.append(entry)
        line.ask_whether(entry, gettext("Without %(part)s", part=entry.name))


def _model_or_part(line: PastedLine, model: str, parts: Sequence[Name], unit: Unit) -> None:
    """One name of a model and of a part: both are read, and one of them is out."""
    copies = line.take_copies()
    part = LineEntry(parts[0].sort, parts[0].name, line.row.number, copies, is_out=True)
    unit.parts.append(part)
    entry = line.last = LineEntry("model", model, line.row.number, copies)
    head = line.so_far.begin(line.row, entry)
    line.head = line.head or head
    with_part = gettext("%(part)s of %(model)s", part=part.name, model=unit.model.name)
    both = ((part, "is_out", False), (entry, "is_out", True))
    doubt = line.doubt(what_is(model), Option("model", gettext("The model %(name)s", name=model)),
                       Option("part", with_part, both), unit=head)  # fmt: skip
    unit.doubts.append(doubt)


def _take_guess(line: PastedLine, run: Sequence[Piece], names: Sequence[Name], owner: str | None) -> None:
    """Read words as a model, or as a part of the model above."""
    is_one_word = len(run) == 1 and len(run[0].words) == 1
    if owner is None:
        _model(line, names[0].name, run[-1])
        line.is_lone_guess = is_one_word and " " in names[0].name
    else:
        had = {part.name for part in line.unit.parts} if line.unit else set()
        part, is_alone = _part(line, names), is_one_word and len(line.pieces) == 1
        is_flush = is_alone and line.unit and line.row.written.depth <= line.unit.depth
        if part and (is_flush or (part.name in had and line.has_once(part))):
            line.ask_whether(part, run[0].text)
    note_guess(line, run, names[0])


def _end(line: PastedLine) -> None:
    if line.copies is not None:
        line.ask(str(line.copies))
    for role in sorted(line.roles) if line.unit else ():
        line.give(line.unit, role)  # type: ignore[arg-type]
    if line.plural and (model := line.plural.model).copies is None:
        line.doubt(what_is(line.row.shown), *(copies_of(n, model, key=f"x{n}") for n in (1, 2, 3, 4)), unit=line.plural)
    if len(line.slashed) > 1:
        if line.head and line.head.model.copies == len(line.slashed):
            for entry in line.slashed:
                entry.groups = 1
        else:
            line.either.append(("/", line.row.parts.index(line.slashed[1])))
    if line.is_lone_guess and line.head and len(line.pieces) == 1:
        line.ask_whether(line.head.model, line.row.shown)
    if line.is_without:
        line.ask(gettext("Without %(part)s", part="?"))
    for sign, place in line.either:
        beside = (*line.row.parts[:place][-1:], *line.row.parts[place : place + 1])
        options = [
            Option(entry.name, entry.name, tuple((other, "is_out", True) for other in beside if other is not entry))
            for entry in beside
        ]
        line.doubt(what_is(sign), *options, Option("both", gettext("As read")))
    for sign in line.odd:
        everything = (*line.row.parts, *(unit.model for unit in line.row.units))
        out = Option(OUT, gettext("Leave it out"), tuple((entry, "is_out", True) for entry in everything))
        line.doubt(what_is(sign), Option("keep", gettext("As read")), out, must_ask=True)
