"""shown_until: when an announcement ends"""

import sqlalchemy as sa
from alembic import op

revision = "20261205_announcements"
down_revision = "20261204_notices"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("announcement", sa.Column("shown_until", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("announcement", "shown_until")
