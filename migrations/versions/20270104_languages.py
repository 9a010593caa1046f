"""language: of events, players, people's own pages and accounts"""

import sqlalchemy as sa
from alembic import op

revision = "20270104_languages"
down_revision = "20270103_foreign_results"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("event", sa.Column("language", sa.String(length=8), server_default=sa.text("''"), nullable=False))
    op.add_column("player", sa.Column("language", sa.String(length=8), server_default=sa.text("''"), nullable=False))
    op.add_column("person", sa.Column("language", sa.String(length=8), server_default=sa.text("''"), nullable=False))
    op.add_column("organiser", sa.Column("language", sa.String(length=8), server_default=sa.text("''"), nullable=False))


def downgrade() -> None:
    for table in ("organiser", "person", "player", "event"):
        op.drop_column(table, "language")
