"""event.news_at: when something last changed that players must know"""

import sqlalchemy as sa
from alembic import op

revision = "20270117_calendars"
down_revision = "20270116_raffle"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("event", sa.Column("news_at", sa.DateTime(timezone=True), nullable=True))
    # What feeds said before. The time of the last change would also follow hidden changes.
    op.execute("UPDATE event SET news_at = COALESCE(awards_published_at, cancelled_at)")


def downgrade() -> None:
    op.drop_column("event", "news_at")
