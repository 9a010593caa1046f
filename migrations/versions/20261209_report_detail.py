"""report_detail: what is reported of a game, and tournament points by VP difference"""

import sqlalchemy as sa
from alembic import op

revision = "20261209_report_detail"
down_revision = "20261208_cover"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "ALTER TABLE event ADD COLUMN report_detail VARCHAR(24) DEFAULT 'full' NOT NULL CONSTRAINT"
        " ck_event_report_detail CHECK (report_detail IN ('full', 'totals', 'outcome'))"
    )
    op.add_column("event", sa.Column("points_table", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("event", "points_table")
    op.execute("ALTER TABLE event DROP COLUMN report_detail")
