"""gone: the seating of a player meeting, and the second entry of sheets; the journal still names both"""

import sqlalchemy as sa
from alembic import op

revision = "20270106_gone"
down_revision = "20270105_nobody_through"
branch_labels = None
depends_on = None

ENDINGS = ("conceded_a", "conceded_b", "not_played", "unfinished", "decided")


def upgrade() -> None:
    op.drop_table("meeting")
    op.drop_table("sheet_reading")
    op.drop_column("event", "player_meeting")
    op.drop_column("event", "second_pass_alone")


def downgrade() -> None:
    for name in ("player_meeting", "second_pass_alone"):
        op.add_column("event", sa.Column(name, sa.Boolean(), server_default=sa.false(), nullable=False))
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
    ending = sa.Enum(*ENDINGS, name="ending", native_enum=False, create_constraint=True, length=24)
    op.create_table(
        "sheet_reading",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.Column("ending", ending, nullable=True),
        sa.Column("agrees", sa.Boolean(), nullable=False),
        sa.Column("by", sa.String(length=120), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["game.id"], name=op.f("fk_sheet_reading_game_id_game"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sheet_reading")),
    )
    op.create_index("ix_sheet_reading_game_id", "sheet_reading", ["game_id"])
