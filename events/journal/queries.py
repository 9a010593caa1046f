"""Journal entries for its pages: searched, newest first, one page at a time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ColumnElement, String, and_, or_
from sqlmodel import Session, col, func, select
from sqlmodel.sql.expression import Select

from events.journal.readers import Reader
from events.journal.wording import Names, RowInWords, rows_in_words
from events.store.editions import edition_of
from events.store.journal import Changed, changes_of
from events.store.scenarios import scenarios_of
from events.store.team_queries import names_of, teams_of
from languages.message import worded
from languages.words import ENGLISH, language
from models.event import Event, Round, RoundState
from models.journal import ChangeSet, JournalEntry, RowChange
from models.play import Game, Player

ON_A_PAGE = 50
AT_ONCE = 24
"""The most rows shown below an entry; larger writes get their own page."""
PLAYERS_READ = frozenset({
    "register", "change-player", "check-in", "undo-check-in", "give-place", "drop", "reinstate", "renew-link", "ringer",
    "ask-bye", "withdraw-bye", "submit-force", "end-approval", "edit-force", "approve-list", "send-back", "unlock-list",
    "lock-list", "waive-list", "expect-list", "share-list", "end-share", "report", "second-pass", "no-show",
    "keep-absent",
    "send-through", "choose-again",
    "cancel-challenge", "exchange", "mail-address", "message", "ruling", "take-back-ruling", "give-time",
    "vote", "mark-opponent",
})  # fmt: skip
"""The kinds of entries about themselves that players may read; all others are for the staff."""
OF_SEVERAL = ("cancel-challenge", "exchange", "message")
"""Kinds in ``PLAYERS_READ`` whose details list several players."""
OF_A_GAME = ("report", "fielded_force")
"""Tables, other than the game's own, with rows written by an entry about a game."""
TOGETHER = timedelta(hours=1)
"""How much older than the newest entry of a group its others are at most."""
GROUPED = {
    "report": "game",
    **dict.fromkeys(
        ("register", "check-in", "painted", "paid", "unlock-list", "edit-force", "submit-force", "lock-list"), "player"
    ),
}
"""By kind of entry: the part of its details that entries of one group share."""
RULINGS = ("ruling", "take-back-ruling")
"""Kinds that concern a whole team if they name no player."""


@dataclass(frozen=True)
class Wanted:
    """A search of the journal; None or "" matches everything."""

    player: int | None = None
    table: int | None = None
    round: int | None = None
    """The round number."""
    by: str = ""
    role: str = ""
    verbs: Sequence[str] = ()
    words: str = ""


@dataclass(frozen=True)
class JournalItem:
    entry: JournalEntry
    role: str
    rows: tuple[RowInWords, ...]
    more: int
    """The number of further rows, on the write's own page."""


def found(s: Session, reader: Reader, wanted: Wanted, before: int | None = None) -> list[tuple[JournalEntry, str]]:
    """The newest wanted entries below the id ``before``, with their actors' roles; one more than a page, if any."""
    query = _query(s, reader, wanted).order_by(col(JournalEntry.id).desc()).limit(ON_A_PAGE + 1)
    if before is not None:
        query = query.where(col(JournalEntry.id) < before)
    return [(entry, role or "") for entry, role in s.exec(query)]


def newer(s: Session, reader: Reader, wanted: Wanted, than: int) -> int:
    query = _query(s, reader, wanted).where(col(JournalEntry.id) > than)
    return s.exec(select(func.count()).select_from(query.subquery())).one()


def _query(s: Session, reader: Reader, wanted: Wanted) -> Select[JournalEntry, str]:
    event = reader.event
    query = select(JournalEntry, ChangeSet.role)
    query = query.outerjoin(ChangeSet, col(JournalEntry.change_set_id) == col(ChangeSet.id))
    query = query.where(col(JournalEntry.event_id) == event.id, reader.entries())
    rows: list[ColumnElement[bool]] = []
    if wanted.player is not None:
        rows.append(and_(_about(wanted.player), reader.rows()))
    if wanted.table is not None:
        rows.append(col(RowChange.table_number) == wanted.table)
    if wanted.round is not None:
        of = select(Round.id).where(Round.event_id == event.id, Round.number == wanted.round)
        rows.append(col(RowChange.round_id).in_(of))
    if rows:
        # One row must match both: a write to table 3 of another round must not match table 3 of round 2.
        same = select(RowChange.id).where(RowChange.change_set_id == JournalEntry.change_set_id, and_(*rows))
        concerned: ColumnElement[bool] = same.exists()
        if wanted.player is not None and len(rows) == 1:
            concerned = or_(concerned, col(JournalEntry.details)["player"].as_integer() == wanted.player)
        query = query.where(concerned)
    exact = ((JournalEntry.actor, wanted.by), (ChangeSet.role, wanted.role))
    for column, value in exact:
        if value:
            query = query.where(col(column) == value)
    if wanted.verbs:
        query = query.where(col(JournalEntry.verb).in_(wanted.verbs))
    text = func.lower(col(JournalEntry.text), type_=String)
    in_text = and_(True, *(text.contains(word.lower(), autoescape=True) for word in wanted.words.split()))
    if not wanted.words or language() == ENGLISH:
        return query.where(in_text)
    return query.where(or_(in_text, col(JournalEntry.id).in_(_with_words(s, event, wanted.words.lower().split()))))


def _with_words(s: Session, event: Event, words: Sequence[str]) -> list[int]:
    """The ids of the entries that have these words in the reader's language, which the database does not know."""
    query = select(JournalEntry.id, col(JournalEntry.details)["said"]).where(JournalEntry.event_id == event.id)
    rows = ((id_, worded(details, "").lower()) for id_, details in s.execute(query))
    return [id_ for id_, text in rows if text and all(word in text for word in words)]


def _about(player_id: int) -> ColumnElement[bool]:
    return or_(col(RowChange.player_id) == player_id, col(RowChange.other_id) == player_id)


def people_and_verbs(s: Session, reader: Reader) -> tuple[list[str], list[str], list[str]]:
    readable = and_(col(JournalEntry.event_id) == reader.event.id, reader.entries())
    people = s.exec(select(JournalEntry.actor).where(readable).distinct()).all()
    verbs = s.exec(select(JournalEntry.verb).where(readable).distinct()).all()
    roles = s.exec(select(ChangeSet.role).where(ChangeSet.event_id == reader.event.id).distinct()).all()
    return sorted(people), sorted(role for role in roles if role), sorted(verbs)


def items(s: Session, reader: Reader, entries: Sequence[tuple[JournalEntry, str]]) -> dict[int, JournalItem]:
    """These entries by id with their changes in words; without rows for large writes."""
    sets = {entry.change_set_id for entry, _ in entries if entry.change_set_id is not None}
    many = select(RowChange.change_set_id, func.count()).where(col(RowChange.change_set_id).in_(sets))
    sizes = dict(s.exec(many.group_by(col(RowChange.change_set_id))).all())
    small = [number for number in sets if sizes.get(number, 0) <= AT_ONCE]
    changes = changes_of(s, reader.event, small)
    names = names_for(s, reader, (change for of_write in changes.values() for change in of_write))
    return {
        entry.id: JournalItem(
            entry,
            role,
            tuple(rows_in_words(names, changes.get(entry.change_set_id or 0, ()))),
            sizes.get(entry.change_set_id or 0, 0) if entry.change_set_id not in small else 0,
        )
        for entry, role in entries
    }


def joined_lines(journal_entries: Iterable[JournalEntry]) -> list[list[JournalEntry]]:
    """These entries, newest first; the steps to one result, or to one player's place, follow the newest of them."""
    lines: list[list[JournalEntry]] = []
    newest: dict[tuple[str, object], list[JournalEntry]] = {}
    for entry in journal_entries:
        part = GROUPED.get(entry.verb, "")
        of = (part, entry.details.get(part))
        line = newest.get(of)
        if line is None or line[0].at - entry.at > TOGETHER:
            lines.append(line := [])
            if of[1] is not None:
                newest[of] = line
        line.append(entry)
    return lines


@dataclass(frozen=True)
class Fold:
    """Neighbouring lines in one row of the journal: one line, or the confirmed results of a round."""

    lines: list[list[JournalEntry]]
    round: int = 0
    """The round number, if all lines are its confirmed results."""

    @property
    def by_several(self) -> bool:
        return len({line[0].actor for line in self.lines}) > 1


def folded_lines(s: Session, lines: Sequence[list[JournalEntry]]) -> list[Fold]:
    """The lines, newest first; neighbouring results of one round that were confirmed within an hour are one fold."""
    games = {line[0].details["game"] for line in lines if _confirms(line[0])}
    played = select(Game.id, Round.number).join(Round).where(col(Game.id).in_(games))
    rounds = dict(s.exec(played).all())
    folds: list[Fold] = []
    for line in lines:
        newest = line[0]
        number = rounds.get(newest.details["game"], 0) if _confirms(newest) else 0
        if number and not newest.text.startswith(f"Round {number},"):
            number = 0  # a later draw reused the game's id
        above = folds[-1] if folds else None
        if number and above and above.round == number and above.lines[0][0].at - newest.at <= TOGETHER:
            above.lines.append(line)
        else:
            folds.append(Fold([line], number))
    return folds


def _confirms(entry: JournalEntry) -> bool:
    """Whether a result that nobody disputed was confirmed for the first time."""
    data = entry.details
    return entry.verb == "report" and data.get("after") == "confirmed" and data.get("before") in ("open", "reported")


def names_for(s: Session, reader: Reader, changes: Iterable[Changed]) -> Names:
    event = reader.event
    ids = {
        change.row_id if change.table == "game" else {**change.before, **change.after}.get("game_id")
        for change in changes
        if change.table in ("game", "report")
    }
    games = select(Game.id, Game.scenario, Round.scenario).join(Round)
    games = games.where(Round.event_id == event.id, col(Game.id).in_(ids - {None}))
    return Names(
        event,
        players={player.id: player.name for player in event.players},
        teams=names_of(teams_of(event)),
        rounds={round_.id: round_.number for round_ in event.schedule},
        scenarios=scenarios_of(event),
        played={id_: scenario for id_, of_game, of_round in s.exec(games) if (scenario := of_game or of_round)},
        edition=edition_of(event),
        reader=reader,
    )


def of_player(s: Session, event: Event, player: Player, limit: int = 200) -> list[JournalEntry]:
    """The newest entries for a player. The write's rows decide whose game it was: a draw can reuse a game's id."""
    details = col(JournalEntry.details)
    game = details["game"].as_integer()
    of_it = or_(
        and_(col(RowChange.table_name) == "game", col(RowChange.row_id) == game),
        col(RowChange.table_name).in_(OF_A_GAME),
    )
    written = (
        select(RowChange.id)
        .where(RowChange.change_set_id == JournalEntry.change_set_id, _about(player.id), of_it)
        .exists()
    )
    published = select(Game.id).join(Round).where(Round.event_id == event.id, Round.state == RoundState.PUBLISHED)
    theirs = published.where(or_(col(Game.a_id) == player.id, col(Game.b_id) == player.id))
    own_game = and_(game.is_not(None), or_(written, and_(col(JournalEntry.change_set_id).is_(None), game.in_(theirs))))
    named = or_(
        details["player"].as_integer() == player.id,
        own_game,
        col(JournalEntry.verb).in_(OF_SEVERAL),
        and_(col(JournalEntry.verb).in_(RULINGS), details["player"].as_integer().is_(None)),
    )
    query = select(JournalEntry, own_game).where(
        JournalEntry.event_id == event.id, col(JournalEntry.verb).in_(PLAYERS_READ), named
    )
    rows = s.exec(query.order_by(col(JournalEntry.id).desc()).limit(limit))
    return [entry for entry, is_own in rows if concerns(entry, player, own_game=bool(is_own))]


def concerns(entry: JournalEntry, player: Player, *, own_game: bool) -> bool:
    """Whether an entry's details name this player, or a game in their ``own_game``."""
    details = entry.details
    if "game" in details and "player" not in details:
        return own_game
    return player.id == details.get("player") or player.id in details.get("players", ())
