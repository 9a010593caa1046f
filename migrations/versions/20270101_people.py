"""people: who keep their entries of several events together"""

import sqlalchemy as sa
from alembic import op

revision = "20270101_people"
down_revision = "20261231_api_tokens"
branch_labels = None
depends_on = None

OWNERS = ("account_id", "player_id", "person_id")
ONE_OF_THREE = " + ".join(f"(CASE WHEN {one} IS NULL THEN 0 ELSE 1 END)" for one in OWNERS) + " = 1"


def upgrade() -> None:
    op.create_table(
        "person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("alias", sa.String(length=80), server_default=sa.text("''"), nullable=False),
        sa.Column("secret", sa.String(length=32), nullable=False),
        sa.Column("session_key", sa.String(length=32), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("shown", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("rated_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("merged_into", sa.Integer(), nullable=True),
        sa.CheckConstraint("merged_into <> id", name=op.f("ck_person_not_into_itself")),
        sa.ForeignKeyConstraint(["merged_into"], ["person.id"], name=op.f("fk_person_merged_into_person"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_person_merged_into"), "person", ["merged_into"])
    op.create_table(
        "own_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_own_entry_person_id_person"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_own_entry_player_id_player"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_own_entry")),
        sa.UniqueConstraint("player_id", name=op.f("uq_own_entry_player_id")),
    )
    op.create_index(op.f("ix_own_entry_person_id"), "own_entry", ["person_id"])
    with op.batch_alter_table("passkey") as batch:
        batch.add_column(sa.Column("person_id", sa.Integer(), nullable=True))
        batch.create_foreign_key(op.f("fk_passkey_person_id_person"), "person", ["person_id"], ["id"], ondelete="CASCADE")
        batch.drop_constraint(op.f("ck_passkey_one_owner"), type_="check")
        batch.create_check_constraint(op.f("ck_passkey_one_owner"), ONE_OF_THREE)
        batch.create_index(op.f("ix_passkey_person_id"), ["person_id"])


def downgrade() -> None:
    op.execute("DELETE FROM passkey WHERE person_id IS NOT NULL")
    with op.batch_alter_table("passkey") as batch:
        batch.drop_index(op.f("ix_passkey_person_id"))
        batch.drop_constraint(op.f("ck_passkey_one_owner"), type_="check")
        batch.create_check_constraint(op.f("ck_passkey_one_owner"), "(account_id IS NULL) <> (player_id IS NULL)")
        batch.drop_constraint(op.f("fk_passkey_person_id_person"), type_="foreignkey")
        batch.drop_column("person_id")
    op.drop_table("own_entry")
    op.drop_table("person")
