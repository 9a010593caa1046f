"""Browsers that receive notices: added by their player, verified, a few for each player; and the server's own key."""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import lru_cache
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from py_vapid.utils import b64urldecode, b64urlencode
from sqlmodel import Session, col, select

from events.store.errors import Refused
from events.web.parsing import is_host_name
from languages.words import N_, gettext
from models.dispatch import Device, NoticeOff, Occasion
from models.play import Player

MOST_DEVICES = 5
"""A further device replaces the oldest."""
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve P-256 (FIPS 186-5)."""
INVALID = N_("This browser’s push address is not valid. Reload the page and try again.")


@lru_cache(maxsize=4)
def server_key(secret: str) -> ec.EllipticCurvePrivateKey:
    """The key that signs pushes (RFC 8292), derived from the service's secret, so that all hosts have the same."""
    derived = HKDF(hashes.SHA256(), 48, salt=None, info=b"overseer web push").derive(secret.encode())
    return ec.derive_private_key(int.from_bytes(derived, "big") % (ORDER - 1) + 1, ec.SECP256R1())


def public_key(secret: str) -> str:
    point = serialization.PublicFormat.UncompressedPoint
    return str(b64urlencode(server_key(secret).public_key().public_bytes(serialization.Encoding.X962, point)))


def is_endpoint(address: str, allowed: str) -> bool:
    """Whether a push address is acceptable: https at the default port of a named host, or of the service ``allowed``.

    Whether the host is public is checked when a push is sent.
    """
    if not address.isascii() or not address.isprintable() or " " in address or len(address) > 1000:
        return False
    try:
        url = urlsplit(address)
        port = url.port
    except ValueError:
        return False
    if allowed and f"{url.scheme}://{url.netloc}" == allowed:
        return True
    plain = url.username is None and url.password is None and not url.fragment
    return url.scheme == "https" and port in (None, 443) and is_host_name(url.hostname or "") and plain


def add_device(
    s: Session, player: Player, endpoint: str, p256dh: str, auth: str, allowed: str, now: datetime
) -> Device:
    """Store a browser's push address and keys; a repeated one is stored once. Raises Refused."""
    try:
        point, salt = (b64urldecode(text.encode()) for text in (p256dh, auth))
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError as error:
        raise Refused(gettext(INVALID)) from error
    if not is_endpoint(endpoint, allowed) or len(salt) != 16:
        raise Refused(gettext(INVALID))
    devices = devices_of(s, player)
    for old in [device for device in devices if device.endpoint != endpoint][: -(MOST_DEVICES - 1)]:
        s.delete(old)
    device = next((device for device in devices if device.endpoint == endpoint), None)
    if device is None:
        device = Device(player_id=player.id, endpoint=endpoint, p256dh="", auth="", added_at=now)
        s.add(device)
    device.p256dh, device.auth = b64urlencode(point), b64urlencode(salt)
    s.flush()  # assigns the id with which the browser unsubscribes
    return device


def devices_of(s: Session, player: Player) -> Sequence[Device]:
    """The player's devices, oldest first."""
    return s.exec(select(Device).where(Device.player_id == player.id).order_by(col(Device.id))).all()


def remove_device(s: Session, player: Player, device_id: int) -> None:
    device = s.get(Device, device_id)
    if device is not None and device.player_id == player.id:
        s.delete(device)


def switched_off(s: Session, player: Player) -> set[Occasion]:
    return {row.occasion for row in s.exec(select(NoticeOff).where(NoticeOff.player_id == player.id))}


def choose_occasions(s: Session, player: Player, wanted: Collection[Occasion]) -> None:
    rows = {row.occasion: row for row in s.exec(select(NoticeOff).where(NoticeOff.player_id == player.id))}
    for occasion in Occasion:
        if occasion in wanted and occasion in rows:
            s.delete(rows[occasion])
        elif occasion not in wanted and occasion not in rows:
            s.add(NoticeOff(player_id=player.id, occasion=occasion))


DEVICE = "devices"
"""Session key for this browser's own device, by event."""
