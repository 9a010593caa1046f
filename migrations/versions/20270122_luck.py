"""event.luck, prize_draw.called_off, and the seed of a prize's draw as a text, whose hash is public before"""

from secrets import token_urlsafe

import sqlalchemy as sa
from alembic import op

revision = "20270122_luck"
down_revision = "20270119_numbers"
branch_labels = None
depends_on = None

JOURNAL_BEGINS_AGAIN = (
    "UPDATE event SET journal_from = NULL WHERE id IN"
    " (SELECT event_id FROM door_prize WHERE id IN (SELECT prize_id FROM prize_draw))"
)


def upgrade() -> None:
    op.add_column("event", sa.Column("luck", sa.String(length=32), server_default=sa.text("''"), nullable=False))
    op.add_column("event", sa.Column("awards_published", sa.JSON(), nullable=True))
    event = sa.table("event", sa.column("id"), sa.column("luck"))
    for (event_id,) in op.get_bind().execute(sa.select(event.c.id)).all():
        op.execute(event.update().where(event.c.id == event_id).values(luck=token_urlsafe(18)))
    op.execute(JOURNAL_BEGINS_AGAIN)
    with op.batch_alter_table("prize_draw", table_kwargs={"sqlite_autoincrement": True}) as table:
        table.alter_column("seed", existing_type=sa.BigInteger(), type_=sa.String(length=64), existing_nullable=False)
        table.add_column(sa.Column("called_off", sa.String(length=500), server_default=sa.text("''"), nullable=False))


def downgrade() -> None:
    op.drop_column("event", "awards_published")
    op.drop_column("event", "luck")
    op.execute(JOURNAL_BEGINS_AGAIN)
    op.execute("UPDATE prize_draw SET seed = '0' WHERE length(seed) > 18")
    with op.batch_alter_table("prize_draw", table_kwargs={"sqlite_autoincrement": True}) as table:
        table.drop_column("called_off")
        table.alter_column(
            "seed", existing_type=sa.String(length=64), type_=sa.BigInteger(), existing_nullable=False,
            postgresql_using="seed::bigint",
        )  # fmt: skip
