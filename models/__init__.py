"""Every table module, named by hand, so that one import gives the whole metadata."""

from models import edition, event, journal, meeting, people, play, scenario, team

__all__ = ["edition", "event", "journal", "meeting", "people", "play", "scenario", "team"]
