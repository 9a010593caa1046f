"""fee: what a place in an event costs, and who has paid"""

from alembic import op

revision = "20261121_fee"
down_revision = "20261120_journal"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Plain, as in 20261120_list_desk: Alembic would rebuild SQLite's table.
    moment = "DATETIME" if op.get_bind().dialect.name == "sqlite" else "TIMESTAMP WITH TIME ZONE"
    op.execute("ALTER TABLE event ADD COLUMN fee VARCHAR(60) DEFAULT '' NOT NULL")
    op.execute(f"ALTER TABLE player ADD COLUMN paid_at {moment}")


def downgrade() -> None:
    op.execute("ALTER TABLE player DROP COLUMN paid_at")
    op.execute("ALTER TABLE event DROP COLUMN fee")
