"""pay link: the page where players pay the entry fee"""

import sqlalchemy as sa
from alembic import op

revision = "20261229_pay_link"
down_revision = "20261228_pinned_mails"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("event", sa.Column("pay_link", sa.String(length=300), server_default=sa.text("''"), nullable=False))


def downgrade() -> None:
    op.drop_column("event", "pay_link")
