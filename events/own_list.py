"""A player's own list as the player's page has it, which every phone of a hall asks for at once: cheap to read."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from models.play import ListSeal, Player

SEALS = (
    select(ListSeal.at, ListSeal.by, ListSeal.sha256)
    .where(ListSeal.player_id == bindparam("player"))
    .order_by(col(ListSeal.id))
)


@dataclass(frozen=True)
class SealInShort:
    """A sealed list without its text, which is long."""

    at: datetime
    by: str
    sha256: str


def seals_in_short(s: Session, player: Player) -> list[SealInShort]:
    """A player's sealed lists, oldest first."""
    return [SealInShort(*row) for row in s.exec(SEALS, params={"player": player.id})]
