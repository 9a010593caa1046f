"""Every table module, named by hand, so that one import gives the whole metadata."""

from models import edition, event, journal, people, play, scenario, team

__all__ = ["edition", "event", "journal", "people", "play", "scenario", "team"]
