"""keyed mails: links of account addresses have a random key, counts of mails are digests with the secret

The digests so far could be compared with guessed addresses, and nothing can be made of them, so they are deleted: a
mailbox may get one more mail that asks. Addresses that wait to be confirmed are deleted too: their links have no key.
"""

import sqlalchemy as sa
from alembic import op

revision = "20261227_keyed_mails"
down_revision = "20261226_embedded"
branch_labels = None
depends_on = None

FORGET = "DELETE FROM sign_in_attempt WHERE kind IN ('mail-ask', 'mail-own', 'mail-box')"


def upgrade() -> None:
    op.execute(FORGET)
    op.execute("DELETE FROM account_notice WHERE browser = ''")
    op.execute("DELETE FROM account_mail WHERE confirmed_at IS NULL")
    op.add_column("account_mail", sa.Column("key", sa.String(length=43), nullable=True))
    op.add_column("account_mail", sa.Column("given_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.execute(FORGET)
    op.execute("DELETE FROM account_notice WHERE browser = ''")
    op.execute("DELETE FROM account_mail WHERE confirmed_at IS NULL")
    op.drop_column("account_mail", "given_at")
    op.drop_column("account_mail", "key")
