"""editions of the force lists that organisers have added"""

import sqlalchemy as sa
from alembic import op

revision = "20261120_own_editions"
down_revision = "20261120_sideboard"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "own_edition",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("system", sa.String(length=40), nullable=False),
        sa.Column("edition", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("date", sa.String(length=10), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("report", sa.JSON(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String(length=120), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_own_edition")),
        sa.UniqueConstraint("system", "edition", name=op.f("uq_own_edition_system_edition")),
    )


def downgrade() -> None:
    op.drop_table("own_edition")
