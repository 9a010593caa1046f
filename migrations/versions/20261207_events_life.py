"""start time, registration window, questions and answers; cancelled, unlisted, series"""

import sqlalchemy as sa
from alembic import op

revision = "20261207_events_life"
down_revision = "20261206_judge_call"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("event", sa.Column("starts_at", sa.String(length=5), server_default=sa.text("''"), nullable=False))
    op.add_column("event", sa.Column("registration_opens", sa.DateTime(timezone=True), nullable=True))
    op.add_column("event", sa.Column("registration_closes", sa.DateTime(timezone=True), nullable=True))
    op.add_column("event", sa.Column("questions", sa.JSON(), nullable=True))
    op.add_column("event", sa.Column("cancelled_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("event", sa.Column("unlisted", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("event", sa.Column("series", sa.String(length=80), server_default=sa.text("''"), nullable=False))
    op.add_column("player", sa.Column("answers", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("player", "answers")
    for name in (
        "series", "unlisted", "cancelled_at", "questions", "registration_closes", "registration_opens", "starts_at",
    ):  # fmt: skip
        op.drop_column("event", name)
