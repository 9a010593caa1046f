"""tries: a failed sign-in is counted for a name, a known browser, or an address of the network"""

from alembic import op

revision = "20261124_tries"
down_revision = "20261123_ended_sign_ins"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Plain, as in 20261120_list_desk: Alembic would rebuild SQLite's table.
    op.execute("ALTER TABLE sign_in_attempt ADD COLUMN kind VARCHAR(10) DEFAULT 'name' NOT NULL")


def downgrade() -> None:
    op.execute("ALTER TABLE sign_in_attempt DROP COLUMN kind")
