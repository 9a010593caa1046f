"""dispatch: one queue in place of delivery.mail, notice, link_request, account_notice, code_mail and webhook_call"""

import sqlalchemy as sa
from alembic import op

revision = "20270204_dispatch"
down_revision = "20270205_unread"
branch_labels = None
depends_on = None

OCCASIONS = ("round", "place", "list_back", "confirm", "answer", "day", "challenge", "overdue", "moved")
STATES = ("queued", "sending", "sent", "failed", "unsure")
KINDS = ("message", "push", "notice", "links", "account", "code", "call")
QUEUED = "queued_has_its_time"
INTO = (
    # Calls first, with their numbers: their receivers know each by its number.
    (
        "id, kind, at, state, due, tried_at, attempts, reason, event_id, webhook_id, about, round, entry, posted, mail",
        "c.id, 'call', c.at, c.state, c.next_try, c.tried_at, c.attempts, c.answer, w.event_id, w.id, c.type, c.round,"
        " c.entry, c.message, '' FROM webhook_call c JOIN webhook w ON w.id = c.webhook_id",
    ),
    (
        "kind, at, state, due, tried_at, attempts, reason, event_id, player_id, delivery_id, mail, about, posted",
        "'message', m.at, d.mail, d.next_try, d.tried_at, d.attempts, d.last_error, m.event_id, d.player_id, d.id,"
        " d.pinned, m.recipients, '' FROM delivery d JOIN message m ON m.id = d.message_id WHERE d.mail IS NOT NULL"
        " ORDER BY d.id",
    ),
    (
        "kind, at, state, due, tried_at, attempts, event_id, player_id, occasion, about, reason, mail, posted",
        # What was only pushed counts as no mail of its day.
        "CASE WHEN n.mailed_at IS NOT NULL OR n.pushed AND n.state <> 'sent' THEN 'notice' ELSE 'push' END,"
        " n.at, n.state, n.next_try, COALESCE(n.mailed_at, n.tried_at), n.attempts, p.event_id, p.id, n.occasion,"
        " n.about, '', '', '' FROM notice n JOIN player p ON p.id = n.player_id ORDER BY n.id",
    ),
    (
        "kind, at, state, due, attempts, event_id, mail, reason, about, posted",
        "'links', l.at, 'queued', l.at, l.attempts, l.event_id, l.mail, '', '', '' FROM link_request l ORDER BY l.id",
    ),
    (
        "kind, at, state, due, attempts, account_id, about, reason, mail, posted",
        "'account', a.signed_in_at, 'queued', a.at, a.attempts, a.account_id, a.browser, '', '', ''"
        " FROM account_notice a ORDER BY a.id",
    ),
    (
        "kind, at, state, due, attempts, event_id, join_code_id, mail, reason, about, posted",
        "'code', c.at, 'queued', c.at, c.attempts, j.event_id, j.id, c.mail, '', '', ''"
        " FROM code_mail c JOIN join_code j ON j.id = c.join_code_id ORDER BY c.id",
    ),
)
BACK = {
    "webhook_call": (
        "id, webhook_id, type, round, entry, at, state, next_try, tried_at, attempts, answer, message",
        "id, webhook_id, about, round, entry, at, state, due, tried_at, attempts, reason, posted"
        " FROM dispatch WHERE kind = 'call'",
    ),
    "notice": (
        "player_id, occasion, about, at, state, next_try, tried_at, attempts, pushed, mailed_at",
        "player_id, occasion, about, at, state, due, tried_at, attempts, kind = 'notice',"
        " CASE WHEN kind = 'notice' AND state IN ('sent', 'unsure') THEN tried_at END"
        " FROM dispatch WHERE kind IN ('push', 'notice') ORDER BY id",
    ),
    # What is being sent now is not sent again.
    "link_request": (
        "event_id, mail, at, attempts",
        "event_id, mail, due, attempts FROM dispatch WHERE kind = 'links' AND state = 'queued' ORDER BY id",
    ),
    "account_notice": (
        "account_id, browser, signed_in_at, at, attempts",
        "account_id, about, at, due, attempts FROM dispatch WHERE kind = 'account' AND state = 'queued' ORDER BY id",
    ),
    "code_mail": (
        "join_code_id, mail, at, attempts",
        "join_code_id, mail, due, attempts FROM dispatch WHERE kind = 'code' AND state = 'queued' ORDER BY id",
    ),
}
OF_DELIVERY = {
    "mail": "state", "next_try": "due", "tried_at": "tried_at", "attempts": "attempts", "last_error": "reason",
    "pinned": "mail",
}  # fmt: skip


def one_of(name: str, *values: str) -> sa.Enum:
    return sa.Enum(*values, name=name, native_enum=False, create_constraint=True, length=24)


def moment() -> sa.DateTime:
    return sa.DateTime(timezone=True)


def text(name: str, length: int) -> sa.Column[str]:
    return sa.Column(name, sa.String(length=length), nullable=False)


def key(table: str, column: str, parent: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}_{parent}")
    return sa.ForeignKeyConstraint([column], [f"{parent}.id"], name=name, ondelete="CASCADE")


def queue(table: str, *columns: sa.Column[object], due: str = "next_try") -> tuple[object, ...]:
    """What every table with states has, and its own columns."""
    return (
        sa.Column("id", sa.Integer(), nullable=False),
        *columns,
        sa.Column("at", moment(), nullable=False),
        sa.Column("state", one_of("state", *STATES), nullable=False),
        sa.Column(due, moment(), nullable=True),
        sa.Column("tried_at", moment(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.CheckConstraint(f"(state = 'queued') = ({due} IS NOT NULL)", name=op.f(f"ck_{table}_{QUEUED}")),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
    )


def count_on(table: str, former: str) -> None:
    """Give no number again that a row of the former table had."""
    run = op.get_bind().exec_driver_sql
    if op.get_bind().dialect.name == "postgresql":
        run(f"SELECT setval('{table}_id_seq', last_value, is_called) FROM {former}_id_seq")
    else:
        run("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
        run("INSERT INTO sqlite_sequence SELECT ?, seq FROM sqlite_sequence WHERE name = ?", (table, former))


def upgrade() -> None:
    op.create_table(
        "dispatch",
        *queue("dispatch", sa.Column("kind", one_of("kind", *KINDS), nullable=False), due="due"),
        text("reason", 300),
        *(
            sa.Column(f"{name}_id", sa.Integer(), nullable=True)
            for name in ("event", "player", "account", "delivery", "join_code", "webhook")
        ),
        text("mail", 254),
        sa.Column("occasion", one_of("occasion", *OCCASIONS), nullable=True),
        text("about", 60),
        sa.Column("round", sa.Integer(), nullable=True),
        sa.Column("entry", sa.Integer(), nullable=True),
        text("posted", 40),
        *(key("dispatch", f"{name}_id", name) for name in ("event", "player", "delivery", "join_code", "webhook")),
        key("dispatch", "account_id", "organiser"),
        sa.UniqueConstraint("delivery_id", name=op.f("uq_dispatch_delivery_id")),
        sa.UniqueConstraint("player_id", "occasion", "about", name=op.f("uq_dispatch_player_id_occasion_about")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_dispatch_kind_state_due", "dispatch", ["kind", "state", "due"])
    for name in ("event_id", "account_id", "join_code_id", "webhook_id"):
        op.create_index(op.f(f"ix_dispatch_{name}"), "dispatch", [name])
    for columns, rows in INTO:
        op.execute(f"INSERT INTO dispatch ({columns}) SELECT {rows}")  # noqa: S608 - our names
        if columns.startswith("id"):
            count_on("dispatch", "webhook_call")
    op.drop_index("ix_delivery_mail_next_try", "delivery")
    with op.batch_alter_table("delivery", table_kwargs={"sqlite_autoincrement": True}) as batch:
        batch.drop_constraint(op.f(f"ck_delivery_{QUEUED}"), type_="check")
        batch.drop_constraint(op.f("ck_delivery_mail"), type_="check")
        for name in OF_DELIVERY:
            batch.drop_column(name)
    for table in BACK:
        op.drop_table(table)


def downgrade() -> None:
    op.create_table(
        "webhook_call",
        *queue("webhook_call"),
        sa.Column("webhook_id", sa.Integer(), nullable=False),
        text("type", 40),
        sa.Column("round", sa.Integer(), nullable=True),
        sa.Column("entry", sa.Integer(), nullable=True),
        text("answer", 300),
        text("message", 40),
        key("webhook_call", "webhook_id", "webhook"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "notice",
        *queue("notice"),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("occasion", one_of("occasion", *OCCASIONS), nullable=False),
        text("about", 60),
        sa.Column("pushed", sa.Boolean(), nullable=False),
        sa.Column("mailed_at", moment(), nullable=True),
        key("notice", "player_id", "player"),
        sa.UniqueConstraint("player_id", "occasion", "about", name=op.f("uq_notice_player_id_occasion_about")),
        sqlite_autoincrement=True,
    )
    typed = {
        "link_request": ("event_id", "event", [text("mail", 254)]),
        "account_notice": (
            "account_id", "organiser", [text("browser", 60), sa.Column("signed_in_at", moment(), nullable=False)],
        ),
        "code_mail": ("join_code_id", "join_code", [text("mail", 254)]),
    }  # fmt: skip
    for table, (column, parent, columns) in typed.items():
        default = "0" if table == "link_request" else None
        op.create_table(
            table,
            sa.Column("id", sa.Integer(), nullable=False),
            sa.Column(column, sa.Integer(), nullable=False),
            *columns,
            sa.Column("at", moment(), nullable=False),
            sa.Column("attempts", sa.Integer(), server_default=default, nullable=False),
            key(table, column, parent),
            sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
            sqlite_autoincrement=True,
        )
        op.create_index(op.f(f"ix_{table}_{column}"), table, [column])
    for table, (columns, rows) in BACK.items():
        op.execute(f"INSERT INTO {table} ({columns}) SELECT {rows}")  # noqa: S608 - our names
    count_on("webhook_call", "dispatch")
    op.create_index(op.f("ix_webhook_call_webhook_id"), "webhook_call", ["webhook_id"])
    for table in ("webhook_call", "notice"):
        op.create_index(f"ix_{table}_state_next_try", table, ["state", "next_try"])
    with op.batch_alter_table("delivery", table_kwargs={"sqlite_autoincrement": True}) as batch:
        batch.add_column(sa.Column("mail", sa.String(length=24), nullable=True))
        batch.add_column(sa.Column("attempts", sa.Integer(), server_default="0", nullable=False))
        batch.add_column(sa.Column("next_try", moment(), nullable=True))
        batch.add_column(sa.Column("tried_at", moment(), nullable=True))
        batch.add_column(sa.Column("last_error", sa.String(length=300), server_default="", nullable=False))
        batch.add_column(sa.Column("pinned", sa.String(length=254), server_default="", nullable=False))
        listed = ", ".join(f"'{state}'" for state in STATES)
        batch.create_check_constraint(op.f("ck_delivery_mail"), f"mail IN ({listed})")
        batch.create_check_constraint(op.f(f"ck_delivery_{QUEUED}"), "(mail = 'queued') = (next_try IS NOT NULL)")
    columns, values = ", ".join(OF_DELIVERY), ", ".join(OF_DELIVERY.values())
    op.execute(
        f"UPDATE delivery SET ({columns}) = (SELECT {values} FROM dispatch WHERE delivery_id = delivery.id)"  # noqa: S608 - our names
        " WHERE id IN (SELECT delivery_id FROM dispatch)"
    )
    op.create_index("ix_delivery_mail_next_try", "delivery", ["mail", "next_try"])
    op.drop_table("dispatch")
