"""door_prize and prize_draw: prizes that are raffled among the players who are here"""

import sqlalchemy as sa
from alembic import op

revision = "20270116_raffle"
down_revision = "20270112_seasons"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "door_prize",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("given_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("shown_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_door_prize_event_id_event")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_door_prize")),
    )
    op.create_index("ix_door_prize_event_id", "door_prize", ["event_id"])
    op.create_table(
        "prize_draw",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("prize_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("hat", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_prize_draw_player_id_player")),
        sa.ForeignKeyConstraint(["prize_id"], ["door_prize.id"], name=op.f("fk_prize_draw_prize_id_door_prize")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prize_draw")),
    )
    op.create_index("ix_prize_draw_player_id", "prize_draw", ["player_id"])
    op.create_index("ix_prize_draw_prize_id", "prize_draw", ["prize_id"])


def downgrade() -> None:
    op.drop_table("prize_draw")
    op.drop_table("door_prize")
