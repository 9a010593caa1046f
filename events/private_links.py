"""The token in a player's private link: signed, never stored, ended by raising the player's generation."""

from itsdangerous import BadSignature, URLSafeSerializer

from models.play import Player


def link_token(secret: str | bytes | None, player: Player) -> str:
    """The token that stands for this player until the link is renewed."""
    return _signer(secret).dumps([player.id, player.link_generation])


def read_token(secret: str | bytes | None, token: str) -> tuple[int, int] | None:
    """The player's id and the generation that the token was made for; None where we did not sign it."""
    try:
        player_id, generation = _signer(secret).loads(token)
    except (BadSignature, ValueError, TypeError):
        return None
    return player_id, generation


def _signer(secret: str | bytes | None) -> URLSafeSerializer:
    # The salt is the purpose: a token made for anything else is no private link.
    return URLSafeSerializer(secret or "", salt="player-link")
