"""held sign-ups: those beyond a limit wait for staff, who see which came from one network address"""

import sqlalchemy as sa
from alembic import op

revision = "20261222_held_sign_ups"
down_revision = "20261223_confirmed_address"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("player", sa.Column("held", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("player", sa.Column("signed_up_from", sa.String(length=64), server_default="", nullable=False))


def downgrade() -> None:
    op.drop_column("player", "signed_up_from")
    op.drop_column("player", "held")
