"""event.convention: the convention that an event belongs to, by its name"""

import sqlalchemy as sa
from alembic import op

revision = "20270118_convention"
down_revision = "20270115_privacy"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("event", sa.Column("convention", sa.String(length=80), server_default=sa.text("''"), nullable=False))


def downgrade() -> None:
    op.drop_column("event", "convention")
