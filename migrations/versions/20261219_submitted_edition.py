"""submitted edition: which edition a list was submitted with, if the event has changed it since"""

import sqlalchemy as sa
from alembic import op

revision = "20261219_submitted_edition"
down_revision = "20261218_late_and_absent"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("force_list", sa.Column("submitted_edition", sa.String(length=40), nullable=True))


def downgrade() -> None:
    op.drop_column("force_list", "submitted_edition")
