"""own_edition.report, invitation.used_by: gone, read by nothing"""

import sqlalchemy as sa
from alembic import op

revision = "20270205_unread"
down_revision = "20270201_claims"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_column("own_edition", "report")
    with op.batch_alter_table("invitation", table_kwargs={"sqlite_autoincrement": True}) as batch_op:
        batch_op.drop_constraint(op.f("fk_invitation_used_by_organiser"), type_="foreignkey")
        batch_op.drop_column("used_by")


def downgrade() -> None:
    op.add_column("own_edition", sa.Column("report", sa.JSON(), nullable=True))
    with op.batch_alter_table("invitation", table_kwargs={"sqlite_autoincrement": True}) as batch_op:
        batch_op.add_column(sa.Column("used_by", sa.Integer(), nullable=True))
        batch_op.create_foreign_key(op.f("fk_invitation_used_by_organiser"), "organiser", ["used_by"], ["id"])
