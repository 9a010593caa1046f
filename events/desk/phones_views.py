"""What phones will see of this service, for those who run the club; and what a phone says that it can do."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from cryptography import x509
from flask import Blueprint, current_app, render_template
from flask.typing import ResponseReturnValue

from events.visitors.loading import require_club
from events.web.request import now, outside_url
from languages.dates import dated
from languages.words import gettext
from service.settings import Settings

RENEW_WITHIN = timedelta(days=21)


@dataclass(frozen=True)
class Sight:
    good: bool
    words: str
    next: str = ""


def seen_by_phones(settings: Settings, address: str, now: datetime) -> list[Sight]:
    """What phones see at this address ("": they reach none), the most important first."""
    return list(_sights(settings, address, now))


def _sights(settings: Settings, address: str, now: datetime) -> Iterator[Sight]:
    if not address:
        yield Sight(False, gettext("No phone can open Overseer."), _reach_advice(settings))
        return
    yield Sight(True, gettext("Phones open %(address)s.", address=address))
    if not settings.https:
        yield Sight(
            False,
            gettext(
                "Plain http: others on the network can read along; phones keep no pages for a hall without network, "
                "and get no notices."
            ),
            gettext("Take a name of yours with a certificate: the operator’s guide, “https without the Internet”."),
        )
        return
    yield Sight(True, gettext("https: phones keep the pages of their players for a hall without network."))
    yield Sight(True, gettext("Notices reach phones, as long as this server reaches the Internet."))
    if settings.certificate is not None:
        yield _certificate(certificate_end(settings.certificate), now)


def _reach_advice(settings: Settings) -> str:
    if settings.public:
        return gettext("OVERSEER_ADDRESS names this computer only. Set the address that players use.")
    if settings.listens_to_network:
        return gettext(
            "This computer has no network connection. Connect it to the hall’s network, then reload this page."
        )
    return gettext("Stop Overseer, and start it for the hall’s network:") + " " + settings.network_command


def _certificate(ends: datetime, now: datetime) -> Sight:
    day = dated(ends, "%-d %b %Y")
    renew = gettext("Renew the certificate where there is Internet, then start Overseer again.")
    if ends <= now:
        return Sight(False, gettext("The certificate ended on %(day)s: phones refuse it.", day=day), renew)
    soon = ends - now < RENEW_WITHIN
    return Sight(not soon, gettext("The certificate is good until %(day)s.", day=day), renew if soon else "")


def certificate_end(folder: Path) -> datetime:
    """When the certificate in OVERSEER_CERTIFICATE ends. Raises OSError, and ValueError if it is none."""
    return x509.load_pem_x509_certificate((folder / "fullchain.pem").read_bytes()).not_valid_after_utc


blueprint = Blueprint("phones", __name__)


@blueprint.get("/desk/phones")
def what_phones_see() -> ResponseReturnValue:
    """The address, https, copies for no network and notices, with the one next thing to do."""
    require_club()
    address = outside_url("phones.this_phone")
    sights = seen_by_phones(current_app.extensions["overseer_settings"], outside_url("public.home"), now())
    todo = next((sight.next for sight in sights if sight.next), "")
    return render_template("desk/phones.html", seen=sights, todo=todo, address=address)


@blueprint.get("/phone")
def this_phone() -> ResponseReturnValue:
    """What the browser that opens it can do here, found by its script; for everybody."""
    return render_template("desk/phone.html")
