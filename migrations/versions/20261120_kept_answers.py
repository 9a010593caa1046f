"""answers kept by the key of a press, so that one sent again is not stored again"""

import sqlalchemy as sa
from alembic import op

revision = "20261120_kept_answers"
down_revision = "20261121_fee"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "kept_answer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("who", sa.String(length=80), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("said", sa.String(length=300), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_kept_answer_event_id_event")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_kept_answer")),
        sa.UniqueConstraint("who", "key", name=op.f("uq_kept_answer_who_key")),
    )
    op.create_index(op.f("ix_kept_answer_event_id"), "kept_answer", ["event_id"], unique=False)


def downgrade() -> None:
    op.drop_table("kept_answer")
