"""Every table module, named by hand, so that one import gives the whole metadata."""

from models import announcement, edition, event, journal, meeting, message, people, play, scenario, team

__all__ = ["announcement", "edition", "event", "journal", "meeting", "message", "people", "play", "scenario", "team"]
