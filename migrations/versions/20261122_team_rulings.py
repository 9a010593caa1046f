"""penalties and bonuses of whole teams"""

import sqlalchemy as sa
from alembic import op

revision = "20261122_team_rulings"
down_revision = "20261122_stamp"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "team_ruling",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("round_number", sa.Integer(), nullable=True),
        sa.Column("after_round", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("vp", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(length=300), nullable=False),
        sa.Column("by", sa.String(length=120), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("taken_back_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("taken_back_by", sa.String(length=120), nullable=True),
        sa.CheckConstraint("points BETWEEN -100 AND 100", name=op.f("ck_team_ruling_points_range")),
        sa.CheckConstraint("vp BETWEEN -1000 AND 1000", name=op.f("ck_team_ruling_vp_range")),
        sa.CheckConstraint("points <> 0 OR vp <> 0", name=op.f("ck_team_ruling_gives_something")),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_team_ruling_event_id_event")),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"], name=op.f("fk_team_ruling_team_id_team")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_team_ruling")),
    )
    op.create_index(op.f("ix_team_ruling_event_id"), "team_ruling", ["event_id"], unique=False)
    op.create_index(op.f("ix_team_ruling_team_id"), "team_ruling", ["team_id"], unique=False)


def downgrade() -> None:
    op.drop_table("team_ruling")
