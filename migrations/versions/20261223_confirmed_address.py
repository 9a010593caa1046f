"""confirmed address: when a player's mail address was confirmed, those given before are; attempts to mail lost links"""

import sqlalchemy as sa
from alembic import op

revision = "20261223_confirmed_address"
down_revision = "20261222_taken_again"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("contact", sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("link_request", sa.Column("attempts", sa.Integer(), server_default="0", nullable=False))
    op.execute("UPDATE contact SET confirmed_at = given_at WHERE mail != ''")


def downgrade() -> None:
    op.drop_column("link_request", "attempts")
    op.drop_column("contact", "confirmed_at")
