"""Settings from the environment: defaults, the kept secret, and error messages."""

import os
import resource
from pathlib import Path

import pytest

from service.settings import BadSetting, read_settings, start_command

LONG = "of enough, different characters: 32"
MAIL = {
    "OVERSEER_SMTP": "smtp+starttls://desk%40club.example:p%40ss%2Fword@mail.example",
    "OVERSEER_MAIL_FROM": "Iron Désk <desk@club.example>",
    "OVERSEER_ADDRESS": "https://iron.example/",
}


def test_every_setting_has_a_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    empty = dict.fromkeys(("OVERSEER_DATA", "DATABASE_URL", "OVERSEER_SECRET", "HOST", "PORT"), "")
    for environ in ({}, empty):
        settings = read_settings(environ)
        assert settings.data == tmp_path / "data"
        assert settings.database_url == f"sqlite:///{tmp_path / 'data' / 'overseer.sqlite3'}"
        assert settings.address == "http://127.0.0.1:8000"
        assert len(settings.secret) >= 32


@pytest.mark.proves("ASVS 13.3.1")
def test_secret_is_created_once_and_private(tmp_path: Path) -> None:
    environ = {"OVERSEER_DATA": str(tmp_path / "kept")}
    first, second = read_settings(environ), read_settings(environ)
    assert first.secret == second.secret
    assert first.secret != read_settings({"OVERSEER_DATA": str(tmp_path / "other")}).secret
    assert [path.name for path in first.data.iterdir()] == ["secret"]
    assert (first.data / "secret").stat().st_mode & 0o077 == 0
    assert first.data.stat().st_mode & 0o077 == 0


def test_secret_on_a_full_disk_leaves_no_file(tmp_path: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4, limits[1]))
    try:
        with pytest.raises(BadSetting, match="cannot be used: File too large"):
            read_settings({"OVERSEER_DATA": str(tmp_path)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert list(tmp_path.iterdir()) == []


def test_every_setting_is_read(tmp_path: Path) -> None:
    settings = read_settings({
        "OVERSEER_DATA": str(tmp_path), "OVERSEER_SECRET": LONG, "DATABASE_URL": "postgresql://club@db/overseer",
        "HOST": "0.0.0.0", "PORT": "8080", "OVERSEER_ADDRESS": "https://Desk.example.org/",  # noqa: S104 - not bound
        "OVERSEER_HOSTS": "192.168.1.5, Hall.local., [fe80::1]", "OVERSEER_PROXIES": "127.0.0.1, 10.0.0.0/8,unix",
        "OVERSEER_LOG": "all", "OVERSEER_METRICS": "a word that only Prometheus has",
        "OVERSEER_SECOND_FACTOR": "demanded", "OVERSEER_SECURITY_CONTACT": "desk@club.example", "DEBUG": "0",
        "OVERSEER_WEBHOOKS": "discord.com, Hooks.club.example", "OVERSEER_RATINGS": "on",
        "OVERSEER_PRIVACY_NOTICE": " Ask Olga. ", "OVERSEER_DELETE_AFTER": "12",
    })  # fmt: skip
    assert (settings.secret, list(tmp_path.iterdir())) == (LONG, []), "the secret is not stored"
    assert settings.database_url == "postgresql://club@db/overseer"
    assert (settings.host, settings.port) == ("0.0.0.0", 8080)  # noqa: S104 - read, not bound
    assert settings.address == "http://127.0.0.1:8080"
    assert (settings.public, settings.https) == ("https://Desk.example.org", True)
    assert settings.hosts == {"desk.example.org", "192.168.1.5", "hall.local", "fe80::1"}
    assert ([str(proxy) for proxy in settings.proxies], settings.log) == (["127.0.0.1/32", "10.0.0.0/8", "unix"], "all")
    assert (settings.metrics, settings.second_factor) == ("a word that only Prometheus has", "demanded")
    assert settings.security_contact == "mailto:desk@club.example"
    assert settings.webhooks == {"discord.com", "hooks.club.example"}
    assert (settings.privacy_notice, settings.delete_after) == ("Ask Olga.", 12)
    assert settings.ratings and not read_settings({"OVERSEER_DATA": str(tmp_path)}).ratings


def test_second_factor_of_organisers_is_demanded_by_default_where_the_internet_reaches_them(tmp_path: Path) -> None:
    environ = {"OVERSEER_DATA": str(tmp_path)}
    assert read_settings(environ).second_factor == "offered"
    assert read_settings(environ | {"OVERSEER_ADDRESS": "http://hall.lan"}).second_factor == "offered"
    assert read_settings(environ | {"OVERSEER_DOMAIN": "desk.example.org"}).second_factor == "organisers"
    https = environ | {"OVERSEER_ADDRESS": "https://desk.example.org"}
    assert read_settings(https).second_factor == "organisers"
    assert read_settings(https | {"OVERSEER_SECOND_FACTOR": "offered"}).second_factor == "offered"


GUESSED = ("x" * 64, "abcabcabc" * 10, "please-change-me-to-something-random", "my SECRET KEY, of enough characters!")
WRONG = (
    ("PORT", "set a number from 1 to 65535", ("http", "0", "65536", "9" * 5000, "٣")),
    ("OVERSEER_SECRET", "set at least 32 characters", ("short",)),
    ("OVERSEER_SECRET", "this secret is easy to guess", GUESSED),
    ("FLASK_DEBUG", "unset it; a debugger would show", ("1",)),
    ("DEBUG", "unset it; a debugger would show", ("True",)),
    ("OVERSEER_HOSTS", "set host names, separated by commas, not '*", ("*", "*.example")),
    ("OVERSEER_HOSTS", "set host names, separated by commas", ("desk.example.org:8000/x",)),
    (
        "OVERSEER_ADDRESS",
        "set the address at which people reach",
        ("desk.example.org", "https://desk.example.org/desk"),
    ),
    ("OVERSEER_ADDRESS", "", ("", "javascript://iron.example", "https://user@iron.example")),
    ("OVERSEER_PROXIES", "set the proxies' addresses, separated by commas", ("*", "10.0.0.1/8")),
    ("OVERSEER_DOMAIN", "set a domain name such as club.example", ("192.168.1.5", "club.example { respond x }")),
    ("OVERSEER_CERTIFICATE", "set a folder with fullchain.pem and privkey.pem", ("/nowhere",)),
    ("OVERSEER_HTTPS_PORT", "set a number from 1 to 65535", ("0",)),
    ("OVERSEER_RATINGS", "set on or off, not 'yes'", ("yes",)),
    ("OVERSEER_LOG", "set one of quiet, normal, all, not 'loud'", ("loud",)),
    ("OVERSEER_SECOND_FACTOR", "set offered, organisers or demanded, not 'yes'", ("yes",)),
    ("OVERSEER_METRICS", "set a token of at least 20 ASCII characters", ("1",)),
    (
        "OVERSEER_SECURITY_CONTACT",
        "set a mail address or https://...",
        ("desk", "http://club.example", "a@b\nx: y"),
    ),
    ("OVERSEER_WEBHOOKS", "set host names, separated by commas", ("*", "https://discord.com", "10.0.0.1", "localhost")),
    ("DATABASE_URL", "set sqlite:///FILE or postgresql://...", ("mysql://db/x",)),
    ("OVERSEER_SMTP", "", ("mail.example:25", "http://mail.example", "smtp://", "smtp://mail.example:99999")),
    ("OVERSEER_SMTP", "", ("smtp://mail.example/path", "smtp://desk:secret-word@mail.example")),
    ("OVERSEER_MAIL_FROM", "", ("", "the desk", "a@club.example, b@club.example", "D <d@club.example>\r\nBcc: x@y.z")),
    ("OVERSEER_MAILS_A_DAY", "", ("0", "many")),
)
"""Settings, the message about wrong values, and the wrong values."""


@pytest.mark.proves("attack 50", "ASVS 13.4.2")
def test_invalid_setting_is_named_without_the_password(tmp_path: Path) -> None:
    for name, words, values in WRONG:
        for value in values:
            with pytest.raises(BadSetting) as bad:
                read_settings({"OVERSEER_DATA": str(tmp_path), **MAIL, name: value})
            said = str(bad.value)
            assert (said.startswith(f"{name}: {words}"), "secret-word" in said) == (True, False), (value, said)


def test_impossible_data_folder_and_empty_secret_are_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(BadSetting, match=r"OVERSEER_DATA: .*file/data cannot be used: Not a directory"):
        read_settings({"OVERSEER_DATA": str(tmp_path / "file" / "data")})
    (tmp_path / "secret").write_text("")
    with pytest.raises(BadSetting, match="OVERSEER_SECRET"):
        read_settings({"OVERSEER_DATA": str(tmp_path)})


def test_two_workers_that_start_at_once_use_one_secret(tmp_path: Path) -> None:
    link = os.link

    def overtaken(source: Path, target: Path) -> None:
        target.write_text("of the quicker worker " + LONG)
        link(source, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "link", overtaken)
        assert read_settings({"OVERSEER_DATA": str(tmp_path)}).secret == "of the quicker worker " + LONG
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]


def test_mail_server_is_read_from_the_environment(tmp_path: Path) -> None:
    mail = read_settings({"OVERSEER_DATA": str(tmp_path), **MAIL, "OVERSEER_MAILS_A_DAY": "50"}).mail
    assert mail
    assert (mail.scheme, mail.host, mail.port) == ("smtp+starttls", "mail.example", 587)
    assert (mail.user, mail.password) == ("desk@club.example", "p@ss/word")
    assert (mail.sender.display_name, mail.sender.addr_spec) == ("Iron Désk", "desk@club.example")
    assert (mail.links, mail.a_day) == ("https://iron.example", 50)
    assert "p@ss" not in repr(mail)
    assert read_settings({"OVERSEER_DATA": str(tmp_path)}).mail is None


def test_command_for_the_network_is_one_for_the_system(tmp_path: Path) -> None:
    here = read_settings({"OVERSEER_DATA": str(tmp_path / "the club"), "PORT": "8123"})
    assert here.network_command == f"HOST=0.0.0.0 PORT=8123 OVERSEER_DATA='{tmp_path}/the club' ./run serve"
    typed = start_command({"HOST": "::", "OVERSEER_DATA": "D:\\the club"}, windows=True)
    assert typed == 'set "HOST=::" && set "OVERSEER_DATA=D:\\the club" && Overseer.bat serve'
