"""foreign_club, foreign_event, foreign_row, ended_claim: gone, with the claims on results of other clubs"""

import sqlalchemy as sa
from alembic import op

revision = "20270201_claims"
down_revision = "20270121_fee"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("ended_claim", "foreign_row", "foreign_event", "foreign_club"):
        op.drop_table(table)


def downgrade() -> None:
    op.create_table(
        "foreign_club",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=44), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("name_key", sa.String(length=160), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_foreign_club")),
        sa.UniqueConstraint("key", name=op.f("uq_foreign_club_key")),
        sa.UniqueConstraint("name_key", name=op.f("uq_foreign_club_name_key")),
    )
    op.create_table(
        "foreign_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("club_id", sa.Integer(), nullable=False),
        sa.Column("series", sa.String(length=80), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("starts_on", sa.Date(), nullable=False),
        sa.Column("system", sa.String(length=40), nullable=False),
        sa.Column("games", sa.JSON(), nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["club_id"], ["foreign_club.id"], name=op.f("fk_foreign_event_club_id_foreign_club")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_foreign_event")),
        sa.UniqueConstraint("seed", name=op.f("uq_foreign_event_seed")),
    )
    op.create_index(op.f("ix_foreign_event_club_id"), "foreign_event", ["club_id"])
    op.create_index(op.f("ix_foreign_event_series"), "foreign_event", ["series"])
    op.create_table(
        "foreign_row",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("agreed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id"], ["foreign_event.id"], name=op.f("fk_foreign_row_event_id_foreign_event"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_foreign_row_person_id_person"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_foreign_row")),
        sa.UniqueConstraint("event_id", "number", name=op.f("uq_foreign_row_event_id_number")),
        sa.UniqueConstraint("event_id", "person_id", name=op.f("uq_foreign_row_event_id_person_id")),
    )
    op.create_index(op.f("ix_foreign_row_person_id"), "foreign_row", ["person_id"])
    op.create_table(
        "ended_claim",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_ended_claim_person_id_person"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person_id", "seed", name=op.f("pk_ended_claim")),
    )
