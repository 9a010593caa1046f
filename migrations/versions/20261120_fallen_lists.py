"""fallen lists: which notes new terms wrote, and when such a list had been handed in"""

import sqlalchemy as sa
from alembic import op

revision = "20261120_fallen_lists"
down_revision = "20261120_own_editions"
branch_labels = None
depends_on = None

# How the notes begin and end that were written before this mark was kept.
WRITTEN = "The event is now played at %, and this list is not legal any more (%). Please mend it and submit it again."


def upgrade() -> None:
    # Plain, as in 20261120_list_desk: Alembic would rebuild SQLite's table.
    connection = op.get_bind()
    sqlite = connection.dialect.name == "sqlite"
    no, moment = ("0", "DATETIME") if sqlite else ("false", "TIMESTAMP WITH TIME ZONE")
    op.execute(f"ALTER TABLE force_list ADD COLUMN sent_back_by_terms BOOLEAN DEFAULT {no} NOT NULL")
    op.execute(f"ALTER TABLE force_list ADD COLUMN submitted_before {moment}")
    marked = sa.text("UPDATE force_list SET sent_back_by_terms = TRUE WHERE sent_back_note LIKE :written")
    connection.execute(marked, {"written": WRITTEN})


def downgrade() -> None:
    op.execute("ALTER TABLE force_list DROP COLUMN submitted_before")
    op.execute("ALTER TABLE force_list DROP COLUMN sent_back_by_terms")
