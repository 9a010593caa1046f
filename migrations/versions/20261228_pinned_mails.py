"""pinned mails: the address of a mail that goes to the player's former one"""

import sqlalchemy as sa
from alembic import op

revision = "20261228_pinned_mails"
down_revision = "20261227_keyed_mails"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("delivery", sa.Column("pinned", sa.String(length=254), server_default=sa.text("''"), nullable=False))


def downgrade() -> None:
    op.drop_column("delivery", "pinned")
