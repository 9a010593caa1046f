"""draw requests: what a round was drawn from is stored whole, with its seed, rules and tables"""

import sqlalchemy as sa
from alembic import op

revision = "20261120_draw_requests"
down_revision = "20261120_fallen_lists"
branch_labels = None
depends_on = None

rounds = sa.table(
    "round",
    sa.column("id", sa.Integer),
    sa.column("seed", sa.BigInteger),
    sa.column("inputs", sa.JSON),
    sa.column("outcome", sa.JSON),
)
games = sa.table(
    "game",
    sa.column("round_id", sa.Integer),
    sa.column("a_id", sa.Integer),
    sa.column("b_id", sa.Integer),
    sa.column("table_number", sa.Integer),
)


def upgrade() -> None:
    connection = op.get_bind()
    for row in connection.execute(sa.select(rounds)).all():
        if not row.inputs:
            continue
        inputs, outcome = dict(row.inputs), dict(row.outcome or {})
        inputs["seed"] = row.seed
        inputs["rules"] = {"avoid_clubs": inputs.pop("avoid_clubs", "first_round")}
        pairs = outcome.get("pairs", [])
        inputs["room"] = {"tables": list(range(1, len(pairs) + 1))}
        played = connection.execute(sa.select(games).where(games.c.round_id == row.id)).all()
        table = {frozenset((str(g.a_id), str(g.b_id))): g.table_number for g in played}
        # A pair that was changed by hand afterwards has no table of the draw that is known any more.
        outcome["tables"] = [table.get(frozenset(pair)) for pair in pairs]
        changed = rounds.update().where(rounds.c.id == row.id)
        connection.execute(changed.values(inputs=inputs, outcome=outcome))


def downgrade() -> None:
    connection = op.get_bind()
    for row in connection.execute(sa.select(rounds)).all():
        if not row.inputs:
            continue
        inputs, outcome = dict(row.inputs), dict(row.outcome or {})
        inputs["avoid_clubs"] = inputs.pop("rules")["avoid_clubs"]
        for name in ("seed", "room"):
            inputs.pop(name)
        outcome.pop("tables", None)
        # Older code knows no seat with more than these.
        known = ("id", "points", "club", "byes", "floats", "opponents", "tables")
        inputs["seats"] = [{name: seat[name] for name in known if name in seat} for seat in inputs["seats"]]
        connection.execute(rounds.update().where(rounds.c.id == row.id).values(inputs=inputs, outcome=outcome))
