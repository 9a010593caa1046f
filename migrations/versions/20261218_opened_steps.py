"""opened steps: the place of a campaign's step among all, and whether it is set aside"""

import sqlalchemy as sa
from alembic import op

revision = "20261218_opened_steps"
down_revision = "20261217_forfeited"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("campaign_step", sa.Column("place", sa.Float(), nullable=True))
    op.add_column("campaign_step", sa.Column("aside", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    for column in ("aside", "place"):
        op.drop_column("campaign_step", column)
