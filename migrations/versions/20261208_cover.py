"""cover: a picture and an accent colour for an event's page"""

import sqlalchemy as sa
from alembic import op

revision = "20261208_cover"
down_revision = "20261207_events_life"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "cover",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("picture", sa.String(length=220_000), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("accent", sa.String(length=7), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name="fk_cover_event_id_event"),
        sa.PrimaryKeyConstraint("id", name="pk_cover"),
        sa.UniqueConstraint("event_id", name="uq_cover_event_id"),
    )


def downgrade() -> None:
    op.drop_table("cover")
