"""foreign_row, ended_claim: staff agree to claims on results of other clubs, and what they end stays ended"""

import sqlalchemy as sa
from alembic import op

revision = "20270109_claims"
down_revision = "20270108_kept_verdicts"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("foreign_row", sa.Column("agreed", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_table(
        "ended_claim",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_ended_claim_person_id_person"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person_id", "seed", name=op.f("pk_ended_claim")),
    )


def downgrade() -> None:
    op.drop_table("ended_claim")
    op.drop_column("foreign_row", "agreed")
