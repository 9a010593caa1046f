"""staff sign-ins: listed, so that a person can end each of them"""

import sqlalchemy as sa
from alembic import op


revision = "20261221_staff_sign_ins"
down_revision = "20261220_tables_vary"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "staff_sign_in",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("sign_in", sa.String(length=64), nullable=False),
        sa.Column("browser", sa.String(length=60), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["organiser.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("sign_in"),
    )
    op.create_index("ix_staff_sign_in_account_id", "staff_sign_in", ["account_id"])


def downgrade() -> None:
    op.drop_table("staff_sign_in")
