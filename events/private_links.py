"""The token in a player's private link: derived from the player's own secret, never stored."""

import base64
import hashlib
import hmac
import re

from models.play import Player

TOKEN = re.compile(r"([1-9][0-9]{0,9})\.[A-Za-z0-9_-]{22}", re.ASCII)
LONGEST_ID = 2**31 - 1


def link_token(secret: str | bytes | None, player: Player) -> str:
    """The player's token, "<id>.<128 bits>", from the installation's ``secret`` and the player's own.

    It ends when the link is renewed. A later row with the same id has another secret, hence another token.
    """
    about = f"player-link {player.id} {player.link_generation} {player.secret}"
    digest = hmac.new(_as_bytes(secret), about.encode(), hashlib.sha256).digest()
    return f"{player.id}.{base64.urlsafe_b64encode(digest[:16]).decode().rstrip('=')}"


def player_id_in(token: str) -> int | None:
    """The id of the player whom the token is for, not yet verified; None for text that is no token."""
    found = TOKEN.fullmatch(token)
    return int(found[1]) if found and int(found[1]) <= LONGEST_ID else None


def is_link_of(secret: str | bytes | None, token: str, player: Player) -> bool:
    """Whether this is the player's token now."""
    return hmac.compare_digest(link_token(secret, player).encode(), token.encode())


def _as_bytes(secret: str | bytes | None) -> bytes:
    return secret if isinstance(secret, bytes) else (secret or "").encode()
