"""stamp: each writing of an event's version tells itself from any other of the same number"""

from alembic import op

revision = "20261122_stamp"
down_revision = "20261121_withdrawn"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Plain, as in 20261120_list_desk: Alembic would rebuild SQLite's table.
    op.execute("ALTER TABLE event ADD COLUMN stamp VARCHAR(16) DEFAULT '' NOT NULL")


def downgrade() -> None:
    op.execute("ALTER TABLE event DROP COLUMN stamp")
