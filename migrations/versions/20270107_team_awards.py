"""award: of the kind "team", for the place of a team"""

from alembic import op

revision = "20270107_team_awards"
down_revision = "20270106_gone"
branch_labels = None
depends_on = None

KINDS = ("place", "overall", "painted", "painted_vote", "sport", "most_vp", "faction", "spoon", "own")


def allow(*kinds: str) -> None:
    listed = ", ".join(f"'{kind}'" for kind in kinds)
    with op.batch_alter_table("award") as batch:
        batch.drop_constraint(op.f("ck_award_kind"), type_="check")
        batch.create_check_constraint(op.f("ck_award_kind"), f"kind IN ({listed})")


def upgrade() -> None:
    allow(KINDS[0], "team", *KINDS[1:])


def downgrade() -> None:
    op.execute("DELETE FROM award_pick WHERE award_id IN (SELECT id FROM award WHERE kind = 'team')")
    op.execute("DELETE FROM award WHERE kind = 'team'")
    allow(*KINDS)
