"""The snapshot of an event that this request works with: what the pages of all its players share."""

from flask import current_app, g

from events.snapshots import Snapshot, Snapshots
from models.event import Event


def snapshot(event: Event) -> Snapshot:
    """What the pages of all players of the event share, the same for the whole request."""
    if "snapshot" not in g:
        kept: Snapshots = current_app.extensions["overseer_snapshots"]
        g.snapshot = kept.of(event)
    found: Snapshot = g.snapshot
    return found


def snapshot_held(event: Event) -> Snapshot | None:
    """The same where it was made already, for what every phone asks again and again."""
    kept: Snapshots = current_app.extensions["overseer_snapshots"]
    return kept.held(event)
