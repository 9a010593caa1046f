"""forfeited: whether a game was lost because its player left the event"""

import sqlalchemy as sa
from alembic import op

revision = "20261217_forfeited"
down_revision = "20261217_moved_notices"
branch_labels = None
depends_on = None

LEFT = """
    absent IS NOT NULL AND EXISTS (
        SELECT 1 FROM player JOIN round ON round.number = player.dropped_after
        WHERE round.id = game.round_id AND (
            (player.id = game.a_id AND game.absent = 'a') OR (player.id = game.b_id AND game.absent = 'b')
        )
    )
"""
"""Of the games until now: the absent player left in the round, so pages have said that they dropped out."""


def upgrade() -> None:
    op.add_column("game", sa.Column("forfeited", sa.Boolean(), server_default=sa.false(), nullable=False))
    game = sa.table("game", sa.column("round_id"), sa.column("forfeited", sa.Boolean()))
    op.execute(game.update().where(sa.text(LEFT)).values(forfeited=True))
    rounds = sa.table("round", sa.column("id"), sa.column("event_id"))
    event = sa.table("event", sa.column("id"), sa.column("journal_from"))
    changed = sa.select(rounds.c.event_id).join_from(rounds, game, game.c.round_id == rounds.c.id)
    op.execute(
        event.update().where(event.c.id.in_(changed.where(game.c.forfeited))).values(journal_from=None)
    )


def downgrade() -> None:
    op.drop_column("game", "forfeited")
