"""cover, event.embedded: gone, an organiser's picture and colour, and the box for other sites"""

import sqlalchemy as sa
from alembic import op

revision = "20270111_look"
down_revision = "20270110_painting"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_table("cover")
    op.drop_column("event", "embedded")


def downgrade() -> None:
    op.add_column("event", sa.Column("embedded", sa.Boolean(), server_default=sa.false(), nullable=False))
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
