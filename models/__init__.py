"""Every table module, named by hand, so that one import gives the whole metadata."""

from models import event, journal, people, play, scenario

__all__ = ["event", "journal", "people", "play", "scenario"]
