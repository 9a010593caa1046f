"""judge_call: players' calls for a judge"""

import sqlalchemy as sa
from alembic import op

revision = "20261206_judge_call"
down_revision = "20261205_announcements"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "judge_call",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("taken_by", sa.String(length=120), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closed_by", sa.String(length=120), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_judge_call_game_id_game"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_judge_call_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judge_call")),
    )
    op.create_index("ix_judge_call_game_id", "judge_call", ["game_id"])
    is_open = sa.text("closed_at IS NULL")
    op.create_index(
        "ix_judge_call_open", "judge_call", ["game_id"], unique=True, sqlite_where=is_open, postgresql_where=is_open
    )


def downgrade() -> None:
    op.drop_table("judge_call")
