"""players_stamp: of the newest write that the own pages of all players show something of"""

import sqlalchemy as sa
from alembic import op

revision = "20261201_players_stamp"
down_revision = "20261130_tables"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("event", sa.Column("players_stamp", sa.String(length=16), server_default="", nullable=False))


def downgrade() -> None:
    op.drop_column("event", "players_stamp")
