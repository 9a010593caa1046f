"""a_first: who has the first of the two roles of a game's scenario"""

import sqlalchemy as sa
from alembic import op

revision = "20261202_roles"
down_revision = "20261201_players_stamp"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game", sa.Column("a_first", sa.Boolean(), nullable=True))


def downgrade() -> None:
    op.drop_column("game", "a_first")
