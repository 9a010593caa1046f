"""what an event adds to the rules, and what a list earns"""

from alembic import op

revision = "20261120_restrictions"
down_revision = "20261120_own_scenarios"
branch_labels = None
depends_on = None

# Plain statements, which both databases take, as in 20261120_list_desk.
ADDED = (
    ("event", "restrictions", "JSON"),
    ("player", "list_points_set", "INTEGER"),
    ("list_seal", "submitted", "BOOLEAN DEFAULT {no} NOT NULL"),
)


def upgrade() -> None:
    no = "0" if op.get_bind().dialect.name == "sqlite" else "false"
    for table, column, kind in ADDED:
        op.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind.format(no=no)}")


def downgrade() -> None:
    for table, column, _ in reversed(ADDED):
        op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
