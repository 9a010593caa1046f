"""Seasons have no check-in: who has a place in one that has not begun takes part"""

import sqlalchemy as sa
from alembic import op

revision = "20270112_seasons"
down_revision = "20270111_look"
branch_labels = None
depends_on = None


def upgrade() -> None:
    columns = (sa.column("restrictions", sa.JSON()), sa.column("season", sa.JSON()))
    event = sa.table("event", *map(sa.column, ("id", "state", "journal_from")), *columns)
    player = sa.table("player", *map(sa.column, ("event_id", "state")))
    open_events = sa.select(event.c.id, event.c.season, event.c.restrictions).where(
        event.c.state.in_(("draft", "registration"))
    )
    for event_id, season, restrictions in op.get_bind().execute(open_events).all():
        if season is None or (restrictions or {}).get("painted"):
            continue
        registered = sa.and_(player.c.event_id == event_id, player.c.state == "registered")
        if op.get_bind().execute(player.update().where(registered).values(state="checked_in")).rowcount:
            op.execute(event.update().where(event.c.id == event_id).values(journal_from=None))


def downgrade() -> None:
    """Nobody is sent back to a check-in."""
