"""secrets: what private links, sign-ins and team codes are derived from; sheet reports, approval, password links"""

import re
from secrets import choice, token_urlsafe

import sqlalchemy as sa
from alembic import op

revision = "20261129_secrets"
down_revision = "20261128_long_last"
branch_labels = None
depends_on = None

CODE_CHARACTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"


def upgrade() -> None:
    # Plain, as in 20261120_list_desk: Alembic would rebuild SQLite's table.
    op.execute("ALTER TABLE player ADD COLUMN secret VARCHAR(32) DEFAULT '' NOT NULL")
    op.execute("ALTER TABLE player ADD COLUMN session_key VARCHAR(32) DEFAULT '' NOT NULL")
    op.execute("ALTER TABLE team ADD COLUMN code VARCHAR(12) DEFAULT '' NOT NULL")
    no = "0" if op.get_bind().dialect.name == "sqlite" else "false"
    op.execute(f"ALTER TABLE report ADD COLUMN by_sheet BOOLEAN DEFAULT {no} NOT NULL")
    op.execute(f"ALTER TABLE event ADD COLUMN approval BOOLEAN DEFAULT {no} NOT NULL")
    op.execute(
        "ALTER TABLE set_up_link ADD COLUMN account_id INTEGER "
        "CONSTRAINT fk_set_up_link_account_id_organiser REFERENCES organiser (id)"
    )
    connection = op.get_bind()
    for (player_id,) in connection.execute(sa.text("SELECT id FROM player")).all():
        connection.execute(
            sa.text("UPDATE player SET secret = :secret, session_key = :session_key WHERE id = :id"),
            {"id": player_id, "secret": token_urlsafe(18), "session_key": token_urlsafe(18)},
        )
    for (team_id,) in connection.execute(sa.text("SELECT id FROM team")).all():
        code = "".join(choice(CODE_CHARACTERS) for _ in range(8))
        connection.execute(sa.text("UPDATE team SET code = :code WHERE id = :id"), {"id": team_id, "code": code})
    if connection.dialect.name == "sqlite":
        never_use_an_id_again(connection, "player")
    with op.batch_alter_table("organiser") as batch:
        batch.alter_column(
            "totp_secret", type_=sa.String(300), existing_type=sa.String(64), existing_nullable=False,
            existing_server_default=sa.text("''"),
        )  # fmt: skip
    with op.batch_alter_table("kept_answer") as batch:
        batch.add_column(sa.Column("player_id", sa.Integer(), nullable=True))
        batch.create_foreign_key("fk_kept_answer_player_id_player", "player", ["player_id"], ["id"], ondelete="CASCADE")
        batch.drop_constraint("uq_kept_answer_who_key", type_="unique")
        batch.create_unique_constraint("uq_kept_answer_event_id_who_key", ["event_id", "who", "key"])


def never_use_an_id_again(connection: sa.Connection, table: str) -> None:
    """Make an SQLite table anew as it is, with AUTOINCREMENT. Alembic's batch would lose names, and checks in columns."""
    of_table = "SELECT sql FROM sqlite_master WHERE tbl_name = :table AND type = :type AND sql IS NOT NULL"
    (made,) = connection.execute(sa.text(of_table), {"table": table, "type": "table"}).scalars()
    indexes = list(connection.execute(sa.text(of_table), {"table": table, "type": "index"}).scalars())
    if "AUTOINCREMENT" in made:  # a downgrade leaves it
        return
    head, columns = made.split("(", 1)
    columns = columns.replace("id INTEGER NOT NULL", "id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT", 1)
    key = re.compile(rf"\s*CONSTRAINT pk_{table} PRIMARY KEY \(id\),")
    assert key.search(columns)  # noqa: S101 - every table is made with this constraint
    op.execute(f"{head.replace(table, f'{table}_anew', 1)}({key.sub('', columns, count=1)}")
    op.execute(f"INSERT INTO {table}_anew SELECT * FROM {table}")
    op.execute(f"DROP TABLE {table}")
    op.execute(f"ALTER TABLE {table}_anew RENAME TO {table}")
    for index in indexes:
        op.execute(index)


def downgrade() -> None:
    # Players keep AUTOINCREMENT on SQLite: no version of the code minds it.
    with op.batch_alter_table("kept_answer") as batch:
        batch.drop_constraint("uq_kept_answer_event_id_who_key", type_="unique")
        batch.create_unique_constraint("uq_kept_answer_who_key", ["who", "key"])
        batch.drop_constraint("fk_kept_answer_player_id_player", type_="foreignkey")
        batch.drop_column("player_id")
    with op.batch_alter_table("organiser") as batch:
        batch.alter_column(
            "totp_secret", type_=sa.String(64), existing_type=sa.String(300), existing_nullable=False,
            existing_server_default=sa.text("''"),
        )  # fmt: skip
    if op.get_bind().dialect.name == "sqlite":
        with op.batch_alter_table("set_up_link") as batch:
            batch.drop_column("account_id")
    else:
        op.execute("ALTER TABLE set_up_link DROP COLUMN account_id")
    op.execute("ALTER TABLE event DROP COLUMN approval")
    op.execute("ALTER TABLE report DROP COLUMN by_sheet")
    op.execute("ALTER TABLE team DROP COLUMN code")
    op.execute("ALTER TABLE player DROP COLUMN session_key")
    op.execute("ALTER TABLE player DROP COLUMN secret")
