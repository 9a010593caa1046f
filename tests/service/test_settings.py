"""Settings from the environment: defaults, the kept secret, and error messages."""

import os
from pathlib import Path

import pytest

from service.settings import BadSetting, read_settings

LONG = "of enough, different characters: 32"


def test_without_any_setting_everything_has_a_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    empty = dict.fromkeys(("OVERSEER_DATA", "DATABASE_URL", "OVERSEER_SECRET", "HOST", "PORT"), "")
    for environ in ({}, empty):
        settings = read_settings(environ)
        assert settings.data == tmp_path / "data"
        assert settings.database_url == f"sqlite:///{tmp_path / 'data' / 'overseer.sqlite3'}"
        assert settings.address == "http://127.0.0.1:8000"
        assert len(settings.secret) >= 32


@pytest.mark.proves("ASVS 13.3.1")
def test_the_secret_is_made_once_and_kept_from_other_people(tmp_path: Path) -> None:
    environ = {"OVERSEER_DATA": str(tmp_path / "kept")}
    first, second = read_settings(environ), read_settings(environ)
    assert first.secret == second.secret
    assert first.secret != read_settings({"OVERSEER_DATA": str(tmp_path / "other")}).secret
    assert [path.name for path in first.data.iterdir()] == ["secret"]
    assert (first.data / "secret").stat().st_mode & 0o077 == 0
    assert first.data.stat().st_mode & 0o077 == 0


def test_a_secret_from_outside_is_used_and_not_written_down(tmp_path: Path) -> None:
    settings = read_settings({"OVERSEER_DATA": str(tmp_path), "OVERSEER_SECRET": LONG})
    assert settings.secret == LONG
    assert list(tmp_path.iterdir()) == []


def test_every_setting_is_taken(tmp_path: Path) -> None:
    settings = read_settings(
        {
            "OVERSEER_DATA": str(tmp_path),
            "OVERSEER_SECRET": LONG,
            "DATABASE_URL": "postgresql://club@db/overseer",
            "HOST": "0.0.0.0",  # noqa: S104 - read, not bound
            "PORT": "8080",
            "OVERSEER_ADDRESS": "https://Desk.example.org/",
            "OVERSEER_HOSTS": "192.168.1.5, Hall.local., [fe80::1]",
            "OVERSEER_PROXIES": "127.0.0.1, 10.0.0.0/8,unix",
            "OVERSEER_LOG": "all",
            "OVERSEER_METRICS": "a word that only Prometheus has",
            "OVERSEER_SECOND_FACTOR": "demanded",
            "DEBUG": "0",
        }
    )
    assert settings.database_url == "postgresql://club@db/overseer"
    assert (settings.host, settings.port) == ("0.0.0.0", 8080)  # noqa: S104 - read, not bound
    assert settings.address == "http://127.0.0.1:8080"
    assert (settings.public, settings.https) == ("https://Desk.example.org", True)
    assert settings.hosts == {"desk.example.org", "192.168.1.5", "hall.local", "fe80::1"}
    assert ([str(one) for one in settings.proxies], settings.log) == (["127.0.0.1/32", "10.0.0.0/8", "unix"], "all")
    assert (settings.metrics, settings.second_factor) == ("a word that only Prometheus has", "demanded")


@pytest.mark.proves("attack 50", "ASVS 13.4.2")
@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("PORT", "http", "PORT: a number from 1 to 65535 is needed, not 'http'"),
        ("PORT", "0", "PORT: a number from 1 to 65535"),
        ("PORT", "65536", "PORT: a number from 1 to 65535"),
        ("PORT", "9" * 5000, "PORT: a number from 1 to 65535"),
        ("PORT", "٣", "PORT: a number from 1 to 65535"),
        ("OVERSEER_SECRET", "short", "OVERSEER_SECRET: at least 32 characters"),
        ("OVERSEER_SECRET", "x" * 64, "OVERSEER_SECRET: this one can be guessed"),
        ("OVERSEER_SECRET", "abcabcabc" * 10, "OVERSEER_SECRET: this one can be guessed"),
        ("OVERSEER_SECRET", "please-change-me-to-something-random", "OVERSEER_SECRET: this one can be guessed"),
        ("OVERSEER_SECRET", "my SECRET KEY, of enough characters!", "OVERSEER_SECRET: this one can be guessed"),
        ("FLASK_DEBUG", "1", "FLASK_DEBUG: this service has no debugging"),
        ("DEBUG", "True", "DEBUG: this service has no debugging"),
        ("OVERSEER_HOSTS", "*", "OVERSEER_HOSTS: host names with commas between them are needed, not '*'"),
        ("OVERSEER_HOSTS", "desk.example.org, *.example.org", "not '*.example.org'"),
        ("OVERSEER_HOSTS", "desk.example.org:8000/x", "OVERSEER_HOSTS: host names"),
        ("OVERSEER_ADDRESS", "desk.example.org", "OVERSEER_ADDRESS: the address at which people reach"),
        ("OVERSEER_ADDRESS", "https://desk.example.org/desk", "OVERSEER_ADDRESS: the address at which people reach"),
        ("OVERSEER_PROXIES", "*", "OVERSEER_PROXIES: the proxies' addresses are needed, separated by commas"),
        ("OVERSEER_PROXIES", "10.0.0.1/8", "OVERSEER_PROXIES: the proxies' addresses are needed"),
        ("OVERSEER_DOMAIN", "192.168.1.5", "OVERSEER_DOMAIN: a domain name is needed"),
        ("OVERSEER_DOMAIN", "club.example { respond x }", "OVERSEER_DOMAIN: a domain name is needed"),
        ("OVERSEER_HTTPS_PORT", "0", "OVERSEER_HTTPS_PORT: a number from 1 to 65535"),
        ("OVERSEER_LOG", "loud", "OVERSEER_LOG: quiet, normal, all is needed, not 'loud'"),
        ("OVERSEER_SECOND_FACTOR", "yes", "OVERSEER_SECOND_FACTOR: offered or demanded is needed, not 'yes'"),
        ("OVERSEER_METRICS", "1", "OVERSEER_METRICS: a word of at least 20 characters"),
        ("DATABASE_URL", "mysql://db/x", "DATABASE_URL: sqlite:///FILE or postgresql://... is needed"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(tmp_path: Path, name: str, value: str, words: str) -> None:
    with pytest.raises(BadSetting) as bad:
        read_settings({"OVERSEER_DATA": str(tmp_path), name: value})
    assert words in str(bad.value)


def test_a_data_folder_that_cannot_be_made_and_an_emptied_secret_are_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(BadSetting, match=r"OVERSEER_DATA: .*file/data cannot be used: Not a directory"):
        read_settings({"OVERSEER_DATA": str(tmp_path / "file" / "data")})
    (tmp_path / "secret").write_text("")
    with pytest.raises(BadSetting, match="OVERSEER_SECRET"):
        read_settings({"OVERSEER_DATA": str(tmp_path)})


def test_of_two_workers_that_start_at_once_both_use_one_secret(tmp_path: Path) -> None:
    link = os.link

    def overtaken(source: Path, target: Path) -> None:
        target.write_text("of the quicker worker " + LONG)
        link(source, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "link", overtaken)
        assert read_settings({"OVERSEER_DATA": str(tmp_path)}).secret == "of the quicker worker " + LONG
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]
