"""``overseer second-factor-off``: for an organiser who lost phone and spare codes."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import Result
from sqlmodel import Session, select

from events.accounts import actions as accounts_actions
from models.db import open_engine, write
from models.people import Account

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
OWN = "kJ3-xW9_qL2vT7mR5pZ8cN4bH6sD1fG0yQ-aU_eIo"
KEY = accounts_actions.key_from(OWN)


@pytest.mark.proves("ASVS 6.4.3")
def test_the_server_s_shell_turns_it_off(shell: Callable[..., Result], data: Path) -> None:
    engine = open_engine(f"sqlite:///{data / 'overseer.sqlite3'}")
    with Session(engine, expire_on_commit=False) as session, write(session, NOW) as s:
        olga = accounts_actions.make_account(s, "Olga", "three old lamps", NOW)
        accounts_actions.turn_on(s, olga, accounts_actions.new_secret(), 1, KEY)
    assert shell("second-factor-off", "ｏlga").output.strip() == "Olga signs in by name and password alone."
    with Session(engine) as session:
        found = session.exec(select(Account)).one()
        assert (found.totp_secret, found.spare_codes, found.password_hash) == ("", "", olga.password_hash)
    engine.dispose()
    assert shell("second-factor-off", "Olga").output.strip() == "Olga had no second factor."
    nobody = shell("second-factor-off", "Petra")
    assert (nobody.exit_code, "There is no account of this name." in nobody.output) == (1, True)
