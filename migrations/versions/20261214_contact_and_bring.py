"""contact and what to bring: two texts of an event"""

import sqlalchemy as sa
from alembic import op

revision = "20261214_contact_and_bring"
down_revision = "20261213_campaign"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("event", sa.Column("contact", sa.String(length=200), server_default=sa.text("''"), nullable=False))
    op.add_column("event", sa.Column("bring", sa.String(length=1000), server_default=sa.text("''"), nullable=False))


def downgrade() -> None:
    for column in ("bring", "contact"):
        op.drop_column("event", column)
