"""long last: what a round was drawn from comes after its short columns, and lists that run out have an index"""

from alembic import op

revision = "20261128_long_last"
down_revision = "20261127_public_stamp"
branch_labels = None
depends_on = None

LONG = ("inputs", "outcome")
INDEX = "ix_player_event_id_list_unlocked_until"


def upgrade() -> None:
    # SQLite reads a row from its beginning: every column after 100 KB of JSON costs it 30 pages.
    for name in LONG:
        op.execute(f"ALTER TABLE round RENAME COLUMN {name} TO before_{name}")
        op.execute(f"ALTER TABLE round ADD COLUMN {name} JSON")
        op.execute(f"UPDATE round SET {name} = before_{name}")
        op.execute(f"ALTER TABLE round DROP COLUMN before_{name}")
    op.create_index(INDEX, "player", ["event_id", "list_unlocked_until"])


def downgrade() -> None:
    op.drop_index(INDEX, "player")  # the order of columns stays: no version of the code minds it
