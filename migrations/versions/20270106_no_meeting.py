"""no meeting: the seating of a player meeting is gone; the journal still names it"""

import sqlalchemy as sa
from alembic import op

revision = "20270106_no_meeting"
down_revision = "20270105_nobody_through"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_table("meeting")
    op.drop_column("event", "player_meeting")


def downgrade() -> None:
    op.add_column("event", sa.Column("player_meeting", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_table(
        "meeting",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("inputs", sa.JSON(), nullable=False),
        sa.Column("outcome", sa.JSON(), nullable=False),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_meeting_event_id_event")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_meeting")),
        sa.UniqueConstraint("event_id", name=op.f("uq_meeting_event_id")),
    )
