"""how games ended that were not played out, and what they count for"""

from alembic import op

revision = "20261120_endings"
down_revision = "20261120_awards"
branch_labels = None
depends_on = None

# Plain statements, which both databases take, as in 20261120_list_desk. The checks that name two columns come last.
HOW = "'conceded_a', 'conceded_b', 'not_played', 'unfinished', 'decided'"
BY_JUDGE = "CONSTRAINT ck_{table}_awarded_by_judge CHECK (awarded IS NULL OR (ending IS NOT NULL AND ending = 'decided'))"
OF_GAME = "CONSTRAINT ck_game_ending_of_game CHECK (ending IS NULL OR (b_id IS NOT NULL AND absent IS NULL))"
ENDED = (
    ("ending", f"VARCHAR(24) CONSTRAINT ck_{{table}}_ending CHECK (ending IN ({HOW}))"),
    ("awarded", f"VARCHAR(24) CONSTRAINT ck_{{table}}_awarded CHECK (awarded IN ('a', 'b', 'draw')) {BY_JUDGE}"),
    ("ending_reason", "VARCHAR(1000) DEFAULT '' NOT NULL"),
)
COUNTED = (
    ("conceded_vp", "'bye'", "'bye', 'scored'"),
    ("not_played", "'nothing'", "'nothing', 'draw'"),
)


def upgrade() -> None:
    for table in ("game", "report"):
        for column, kind in ENDED:
            more = f" {OF_GAME}" if (table, column) == ("game", "ending") else ""
            op.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind.format(table=table)}{more}")
    for column, usual, choices in COUNTED:
        check = f"CONSTRAINT ck_event_{column} CHECK ({column} IN ({choices}))"
        op.execute(f"ALTER TABLE event ADD COLUMN {column} VARCHAR(24) DEFAULT {usual} NOT NULL {check}")


def downgrade() -> None:
    for column, _, _ in reversed(COUNTED):
        op.execute(f"ALTER TABLE event DROP COLUMN {column}")
    for table in ("report", "game"):
        for column, _ in reversed(ENDED):
            op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
