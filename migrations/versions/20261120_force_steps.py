"""the last changes of each force, to be taken back"""

import sqlalchemy as sa
from alembic import op

revision = "20261120_force_steps"
down_revision = "20261120_restrictions"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "force_step",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("force_list_id", sa.Integer(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("undone", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["force_list_id"], ["force_list.id"], name=op.f("fk_force_step_force_list_id_force_list")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_force_step")),
    )
    with op.batch_alter_table("force_step") as batch_op:
        batch_op.create_index(batch_op.f("ix_force_step_force_list_id"), ["force_list_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("force_step") as batch_op:
        batch_op.drop_index(batch_op.f("ix_force_step_force_list_id"))
    op.drop_table("force_step")
