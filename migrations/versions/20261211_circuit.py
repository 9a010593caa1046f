"""circuit: the points table of a series"""

import sqlalchemy as sa
from alembic import op

revision = "20261211_circuit"
down_revision = "20261210_season"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("event", sa.Column("circuit", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("event", "circuit")
