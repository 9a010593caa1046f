"""round_draw: the draw of each round, in place of round.inputs and round.outcome"""

import sqlalchemy as sa
from alembic import op

revision = "20270206_draws"
down_revision = "20270202_payments"
branch_labels = None
depends_on = None

DOCUMENT = sa.JSON(none_as_null=True)
ROUND = sa.table(
    "round", sa.column("id"), sa.column("event_id"), sa.column("inputs", DOCUMENT), sa.column("outcome", DOCUMENT)
)
DRAW = sa.table(
    "round_draw", sa.column("round_id"), sa.column("inputs", sa.JSON()), sa.column("outcome", sa.JSON())
)
EVENT = sa.table("event", *map(sa.column, ("id", "journal_from")))


def upgrade() -> None:
    op.create_table(
        "round_draw",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("inputs", sa.JSON(), nullable=False),
        sa.Column("outcome", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["round_id"], ["round.id"], name=op.f("fk_round_draw_round_id_round")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_round_draw")),
        sa.UniqueConstraint("round_id", name=op.f("uq_round_draw_round_id")),
        sqlite_autoincrement=True,
    )
    for row in op.get_bind().execute(sa.select(ROUND).order_by(ROUND.c.id)).all():
        if row.inputs is not None:  # a row of JSON’s null is none
            op.bulk_insert(DRAW, [{"round_id": row.id, "inputs": row.inputs, "outcome": row.outcome or {}}])
    _begin_journals_again()
    op.drop_column("round", "inputs")
    op.drop_column("round", "outcome")


def downgrade() -> None:
    op.add_column("round", sa.Column("inputs", sa.JSON(), nullable=True))
    op.add_column("round", sa.Column("outcome", sa.JSON(), nullable=True))
    for row in op.get_bind().execute(sa.select(DRAW)).all():
        op.execute(ROUND.update().where(ROUND.c.id == row.round_id).values(inputs=row.inputs, outcome=row.outcome))
    _begin_journals_again()
    op.drop_table("round_draw")


def _begin_journals_again() -> None:
    """A journal goes on from all rows as they are: what it has of draws names columns of another table."""
    drawn = sa.select(ROUND.c.event_id).join(DRAW, DRAW.c.round_id == ROUND.c.id)
    op.execute(EVENT.update().where(EVENT.c.id.in_(drawn)).values(journal_from=None))
