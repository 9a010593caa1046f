"""how an event draws its rounds"""

from alembic import op

revision = "20261120_draw_rules"
down_revision = "20261120_teams"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Plain, as in 20261120_list_desk: Alembic would rebuild SQLite's table.
    op.execute("ALTER TABLE event ADD COLUMN draw_rules JSON")


def downgrade() -> None:
    op.execute("ALTER TABLE event DROP COLUMN draw_rules")
