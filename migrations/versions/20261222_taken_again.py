"""taken again: whether a campaign's step was redone after its dice were seen"""

import sqlalchemy as sa
from alembic import op

revision = "20261222_taken_again"
down_revision = "20261221_staff_sign_ins"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("campaign_step", sa.Column("again", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    op.drop_column("campaign_step", "again")
