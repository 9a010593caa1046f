"""Chance that is the same for the same errand, so that a repeated, undone or restored step rolls nothing new."""

from models.event import Event
from validators.strict_json import keyed_digest


def hidden_seed(event: Event, *about: object) -> str:
    """The seed of what it is about: 32 hexadecimal digits that nobody can calculate before."""
    return keyed_digest(event.luck.encode(), about)[:32]
