"""shared lists: the end of the address under which everybody may read a list"""

import sqlalchemy as sa
from alembic import op

revision = "20261216_shared_lists"
down_revision = "20261215_notes"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("force_list", sa.Column("share_token", sa.String(length=32), nullable=True))
    op.create_index("ix_force_list_share_token", "force_list", ["share_token"], unique=True)


def downgrade() -> None:
    op.drop_index("ix_force_list_share_token", table_name="force_list")
    op.drop_column("force_list", "share_token")
