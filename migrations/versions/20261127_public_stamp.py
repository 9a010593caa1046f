"""public stamp: drafts of rounds change nothing that players and visitors have"""

from alembic import op

revision = "20261127_public_stamp"
down_revision = "20261126_mail_changes"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Plain, as in 20261120_list_desk: Alembic would rebuild SQLite's table.
    op.execute("ALTER TABLE event ADD COLUMN public_stamp VARCHAR(16) DEFAULT '' NOT NULL")
    op.execute("UPDATE event SET public_stamp = stamp")


def downgrade() -> None:
    op.execute("ALTER TABLE event DROP COLUMN public_stamp")
