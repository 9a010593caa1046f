"""goes_through: nobody, from a knockout game that nobody played"""

from alembic import op

revision = "20270105_nobody_through"
down_revision = "20270104_languages"
branch_labels = None
depends_on = None


def allow(*sides: str) -> None:
    listed = ", ".join(f"'{side}'" for side in sides)
    with op.batch_alter_table("game") as batch:
        batch.drop_constraint(op.f("ck_game_goes_through"), type_="check")
        batch.create_check_constraint(op.f("ck_game_goes_through"), f"goes_through IN ({listed})")


def upgrade() -> None:
    allow("a", "b", "nobody")


def downgrade() -> None:
    op.execute("UPDATE game SET goes_through = NULL WHERE goes_through = 'nobody'")
    allow("a", "b")
