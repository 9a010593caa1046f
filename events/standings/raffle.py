"""A raffle: door prizes, each drawn by lot among the players who are here. Whoever has won is not drawn again.

A draw stays: it ends because its player is not here, or is called off with a reason that everybody reads.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import zip_longest

from sqlmodel import Session, col, select

from events.standings.soft_scores import candidates
from events.store.act import Act
from events.store.errors import Refused, Stale
from events.store.journal import check_takes_place, note
from events.store.luck import hidden_seed
from events.store.players import by_name, players_by_id
from events.tournament.pairing.seats import lot
from languages.message import counted_message, message
from languages.words import N_, gettext
from models.award import DoorPrize, PrizeDraw
from models.event import Event
from models.play import Player
from validators.strict_json import fingerprint

MOST_PRIZES, MOST_LETTERS = 60, 120
ON_SCREEN_FOR = timedelta(minutes=15)
"""How long the turning hall shows the raffle after the desk's last press."""
ROLLS_FOR = timedelta(seconds=10)
"""A screen that loads a new winner within this time lets names roll by first, for 3 seconds."""


def drawn_from(hat: Sequence[int], seed: str) -> int:
    """The entry of the hat that a seed draws: its place, from 0, is the lot ``[seed,"raffle"]`` modulo the entries."""
    return hat[lot(seed, "raffle") % len(hat)]


@dataclass(frozen=True)
class Entry:
    """A door prize with its draws, oldest first. Only the last draw holds: the others ended."""

    prize: DoorPrize
    draws: Sequence[PrizeDraw]

    @property
    def drawn(self) -> PrizeDraw | None:
        return self.draws[-1] if self.draws else None

    @property
    def mark(self) -> str:
        """Identifies the prize in this state, so that of two presses of a page only one counts."""
        return f"{self.prize.id}-{len(self.draws)}"


def coming_seed(event: Event, entry: Entry) -> str:
    """The draw number of a prize's next draw. Nobody knows it before; its SHA-256 is public then."""
    return hidden_seed(event, "raffle", entry.prize.id, len(entry.draws))


@dataclass(frozen=True)
class Raffle:
    entries: tuple[Entry, ...]
    players: Mapping[int, Player]
    """All players of the event; empty without prizes."""
    present: Sequence[Player]
    """The players who are here, by name."""

    @property
    def next(self) -> Entry | None:
        """The prize to draw or to give now; None when all are given."""
        return next((entry for entry in self.entries if not entry.prize.given_at), None)

    @property
    def shown(self) -> Entry | None:
        """The prize on the hall's screen; None if the desk has shown none."""
        return next((entry for entry in self.entries if entry.prize.shown_at), None)

    @property
    def waiting(self) -> list[DoorPrize]:
        """The prizes that can still be changed."""
        return [entry.prize for entry in self.entries if not entry.draws]

    @property
    def mark(self) -> str:
        """Identifies the prizes to come that a page shows."""
        return fingerprint([[prize.id, prize.name] for prize in self.waiting])

    def hat(self, entry: Entry) -> list[int]:
        """The players to draw from now: who is here, has not won, and was not away when drawn for this prize."""
        rows = [(row, draw) for row in self.entries for draw in row.draws if not draw.called_off]
        out = {draw.player_id for row, draw in rows if row is entry or draw is row.drawn}
        return [player.id for player in self.present if player.id not in out]

    def name(self, player_id: int) -> str:
        player = self.players.get(player_id)
        return player.name if player else gettext("a player who was removed")

    def winner(self, entry: Entry) -> str:
        """The name of the winner; "" before the draw."""
        return self.name(entry.drawn.player_id) if entry.drawn else ""


def raffle_of(s: Session, event: Event) -> Raffle:
    prizes = s.exec(select(DoorPrize).where(DoorPrize.event_id == event.id).order_by(col(DoorPrize.position))).all()
    if not prizes:
        return Raffle((), {}, ())
    draws: dict[int, list[PrizeDraw]] = {prize.id: [] for prize in prizes}
    for draw in s.exec(select(PrizeDraw).where(col(PrizeDraw.prize_id).in_(draws)).order_by(col(PrizeDraw.id))):
        draws[draw.prize_id].append(draw)
    players = players_by_id(event)
    present = sorted(candidates(event, players.values()), key=by_name)
    return Raffle(tuple(Entry(prize, draws[prize.id]) for prize in prizes), players, present)


def set_prizes(act: Act, names: Sequence[str], mark: str) -> None:
    """Replace the prizes to come, in this order. ``mark`` is that of the list on the submitted page. Raises Refused."""
    raffle = raffle_of(act.s, act.event)
    waiting, fixed = raffle.waiting, len(raffle.entries) - len(raffle.waiting)
    if mark != raffle.mark:
        words = gettext("The prizes have changed since you opened this page. Check your list and save it again.")
        raise Stale(words, "prizes")
    if fixed + len(names) > MOST_PRIZES or any(len(name) > MOST_LETTERS for name in names):
        raise Refused(gettext("A raffle has at most 60 prizes, each with at most 120 characters."), "prizes")
    if [prize.name for prize in waiting] == [*names]:
        return
    for position, (prize, name) in enumerate(zip_longest(waiting, names), start=fixed + 1):
        if name is None:
            act.s.delete(prize)
        elif prize is None:
            act.s.add(DoorPrize(event_id=act.event.id, name=name, position=position))
        else:
            prize.name, prize.position = name, position
    text = counted_message("Set %(num)s prize of the raffle", "Set %(num)s prizes of the raffle", len(names))
    note(act, "set-prizes", text)


def _on_page(act: Act, mark: str) -> tuple[Raffle, Entry | None]:
    """The raffle, and the next prize if it is still in the state that the submitted page showed."""
    raffle = raffle_of(act.s, act.event)
    return raffle, raffle.next if raffle.next and raffle.next.mark == mark else None


def _put_on_screen(raffle: Raffle, shown: DoorPrize, now: datetime) -> None:
    for entry in raffle.entries:
        entry.prize.shown_at = now if entry.prize is shown else None


def draw_prize(act: Act, mark: str, called_off: str | None = None) -> None:
    """Draw the next prize; again, if the player drawn before is not here, or the draw is called off. Raises Refused.

    ``called_off`` is the reason, which everybody reads; the player drawn before is then in the hat again.
    """
    check_takes_place(act.event)
    raffle, entry = _on_page(act, mark)
    if entry is None:
        return
    before, words = entry.drawn, N_("%(away)s was not here. %(drew)s")
    if before is not None and called_off is not None:
        if not called_off:
            raise Refused(gettext("Give the reason: everybody reads it."))
        before.called_off, words = called_off, N_("The draw of %(away)s is called off: %(reason)s. %(drew)s")
    hat = raffle.hat(entry)
    if not hat:
        raise Refused(gettext("Nobody is in the hat: nobody is checked in who has not won or been drawn."))
    seed = coming_seed(act.event, entry)
    winner = drawn_from(hat, seed)
    act.s.add(PrizeDraw(prize_id=entry.prize.id, player_id=winner, seed=seed, hat=hat))
    _put_on_screen(raffle, entry.prize, act.now)
    sentence = message("Drew %(name)s for “%(prize)s”", name=raffle.name(winner), prize=entry.prize.name)
    if before is not None:
        sentence = message(words, away=raffle.name(before.player_id), reason=called_off or "", drew=sentence)
    note(act, "draw-prize", sentence, players=[winner, *([before.player_id] if before else [])], seed=seed, hat=hat)


def give_prize(act: Act, mark: str) -> None:
    """Record that the winner has the prize."""
    raffle, entry = _on_page(act, mark)
    if entry is not None and entry.drawn is not None:
        entry.prize.given_at = act.now
        _put_on_screen(raffle, entry.prize, act.now)
        sentence = message("Gave “%(prize)s” to %(name)s", prize=entry.prize.name, name=raffle.winner(entry))
        note(act, "give-prize", sentence, player=entry.drawn.player_id)


def show_prize(act: Act, mark: str) -> None:
    """Show the next prize on the hall's screen, with the names in the hat."""
    raffle, entry = _on_page(act, mark)
    if entry is not None:
        _put_on_screen(raffle, entry.prize, act.now)
        note(act, "show-award", message("Showed the prize “%(prize)s” in the hall", prize=entry.prize.name))
