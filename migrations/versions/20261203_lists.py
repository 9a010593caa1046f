"""lists: who reads them in play, lists that are waived, and when players check themselves in"""

import sqlalchemy as sa
from alembic import op

revision = "20261203_lists"
down_revision = "20261202_roles"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "ALTER TABLE event ADD COLUMN lists_in_play VARCHAR(24) DEFAULT 'staff' NOT NULL CONSTRAINT"
        " ck_event_lists_in_play CHECK (lists_in_play IN ('staff', 'opponents', 'everybody'))"
    )
    op.add_column("event", sa.Column("check_in_from", sa.DateTime(timezone=True), nullable=True))
    op.add_column("event", sa.Column("check_in_until", sa.DateTime(timezone=True), nullable=True))
    op.add_column("player", sa.Column("list_waived_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("player", "list_waived_at")
    op.drop_column("event", "check_in_until")
    op.drop_column("event", "check_in_from")
    op.execute("ALTER TABLE event DROP COLUMN lists_in_play")
