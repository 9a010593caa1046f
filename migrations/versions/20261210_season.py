"""season: rounds with windows of days, and the day of a game"""

import sqlalchemy as sa
from alembic import op

revision = "20261210_season"
down_revision = "20261209_report_detail"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("event", sa.Column("season", sa.JSON(), nullable=True))
    op.add_column("game", sa.Column("arranged", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("game", "arranged")
    op.drop_column("event", "season")
