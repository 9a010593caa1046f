"""painting_mark: gone with the checklist; what it gave is the staff's figure for the player"""

import sqlalchemy as sa
from alembic import op

revision = "20270110_painting"
down_revision = "20270109_claims"
branch_labels = None
depends_on = None

USUAL = {"i1": 3, "i2": 2, "i3": 2, "i4": 2, "i5": 1, "i6": 1}
"""The points of the checklist's items in an event that has stored none."""
KEPT = {"list": "off", "both": "vote"}
"""How painting is judged without the checklist."""


def upgrade() -> None:
    event = sa.table("event", *map(sa.column, ("id", "journal_from")), sa.column("soft_rules", sa.JSON()))
    by_hand = sa.column("painting_by_hand", sa.Boolean())
    player = sa.table("player", *map(sa.column, ("id", "event_id", "painting")), by_hand)
    mark = sa.table("painting_mark", *map(sa.column, ("event_id", "player_id")), sa.column("items", sa.JSON()))
    found = op.get_bind().execute(sa.select(event.c.id, event.c.soft_rules)).all()
    for event_id, rules in found:
        judged = (rules or {}).get("painting")
        if judged not in KEPT:
            continue
        points = {item["id"]: item["points"] for item in rules["items"]} if "items" in rules else USUAL
        marks = op.get_bind().execute(sa.select(mark.c.player_id, mark.c["items"]).where(mark.c.event_id == event_id))
        totals = {player_id: sum(points.get(id_, 0) for id_ in ticked) for player_id, ticked in marks.all()}
        counted = sa.and_(player.c.event_id == event_id, sa.not_(player.c.painting_by_hand))
        for player_id, total in totals.items():
            its = player.update().where(counted, player.c.id == player_id)
            op.execute(its.values(painting=total, painting_by_hand=True))
        # With both, votes counted for an award alone: they must not count for players who were not judged.
        op.execute(player.update().where(counted).values(painting=0, painting_by_hand=judged == "both"))
        kept = {name: value for name, value in rules.items() if name != "items"} | {"painting": KEPT[judged]}
        op.execute(event.update().where(event.c.id == event_id).values(soft_rules=kept, journal_from=None))
    op.drop_table("painting_mark")


def downgrade() -> None:
    op.create_table(
        "painting_mark",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("items", sa.JSON(), nullable=False),
        sa.Column("by", sa.String(length=120), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_painting_mark_event_id_event")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_painting_mark_player_id_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_painting_mark")),
        sa.UniqueConstraint("player_id", name=op.f("uq_painting_mark_player_id")),
    )
    op.create_index("ix_painting_mark_event_id", "painting_mark", ["event_id"])
