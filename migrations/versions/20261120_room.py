"""tables out of order, top tables, fixed tables, and a scenario for each table"""

from alembic import op

revision = "20261120_room"
down_revision = "20261120_clock"
branch_labels = None
depends_on = None

# Plain statements, which both databases take, as in 20261120_list_desk.
ADDED = (
    ("event", "tables_out", "JSON"),
    ("event", "top_tables", "BOOLEAN DEFAULT {yes} NOT NULL"),
    ("event", "scenario_per_table", "BOOLEAN DEFAULT {no} NOT NULL"),
    ("player", "fixed_table", "INTEGER CONSTRAINT ck_player_fixed_table_positive CHECK (fixed_table > 0)"),
    ("game", "scenario", "VARCHAR(40)"),
)


def upgrade() -> None:
    sqlite = op.get_bind().dialect.name == "sqlite"
    yes, no = ("1", "0") if sqlite else ("true", "false")
    for table, column, kind in ADDED:
        op.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind.format(yes=yes, no=no)}")


def downgrade() -> None:
    for table, column, _ in reversed(ADDED):
        op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
