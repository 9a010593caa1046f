"""embedded: whether other sites may show an event's box"""

import sqlalchemy as sa
from alembic import op

revision = "20261226_embedded"
down_revision = "20261225_account_mail"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("event", sa.Column("embedded", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    op.drop_column("event", "embedded")
