"""sign-ins that were ended on the server"""

import sqlalchemy as sa
from alembic import op

revision = "20261123_ended_sign_ins"
down_revision = "20261122_team_rulings"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ended_sign_in",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sign_in", sa.String(length=64), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ended_sign_in")),
        sa.UniqueConstraint("sign_in", name=op.f("uq_ended_sign_in_sign_in")),
    )


def downgrade() -> None:
    op.drop_table("ended_sign_in")
