"""A fee is one line that begins with its amount, and erased players owe nothing"""

import re
from decimal import Decimal

import sqlalchemy as sa
from alembic import op

revision = "20270121_fee"
down_revision = "20270122_luck"
branch_labels = None
depends_on = None

NO_DIGITS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split()
THREE_DIGITS = "BHD IQD JOD KWD LYD OMR TND".split()
LONGEST = 60


def upgrade() -> None:
    event = sa.table("event", *map(sa.column, ("id", "fee", "fee_amount", "fee_currency", "journal_from")))
    player = sa.table("player", *map(sa.column, ("id", "event_id", "state", "name", "fee_set")))
    changed = set()
    rows = sa.select(event.c.id, event.c.fee, event.c.fee_amount, event.c.fee_currency)
    for id_, fee, amount, currency in op.get_bind().execute(rows.where(event.c.fee_amount.is_not(None))).all():
        digits = 0 if currency in NO_DIGITS else 3 if currency in THREE_DIGITS else 2
        major = Decimal(amount).scaleb(-digits)
        typed = re.match(r"[0-9]+([.,][0-9]+)?", fee)
        if typed is None or Decimal(typed[0].replace(",", ".")) != major:
            words = f"{major} {currency} ({fee})"[:LONGEST] if fee else f"{major} {currency}"
            op.execute(event.update().where(event.c.id == id_).values(fee=words))
            changed.add(id_)
    gone = sa.select(player.c.id, player.c.event_id, player.c.name).where(player.c.state == "dropped")
    for id_, event_id, name in op.get_bind().execute(gone.where(player.c.name.like("Former player %"))).all():
        if name.rstrip("*") == f"Former player {id_}":
            op.execute(player.update().where(player.c.id == id_).values(fee_set=0))
            changed.add(event_id)
    op.execute(event.update().where(event.c.id.in_(changed)).values(journal_from=None))


def downgrade() -> None:
    """The words and the waivers stay."""
