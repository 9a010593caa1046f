"""A device that holds passkeys, in software: it answers what pages ask, as a browser and its authenticator do."""

import hashlib
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

from tests.kit.person import Page, Person

PRESENT, VERIFIED, ELIGIBLE, BACKED_UP, WITH_KEY = 0x01, 0x04, 0x08, 0x10, 0x40


def text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def data_of(words: str) -> bytes:
    return urlsafe_b64decode(words + "=" * (-len(words) % 4))


def asked_on(page: Page) -> dict[str, Any]:
    """What a page asks of its browser's passkeys."""
    (form,) = page.soup.select("form[data-passkey]")
    found: dict[str, Any] = json.loads(str(form["data-passkey"]))
    return found


@dataclass
class Authenticator:
    """Holds one passkey. ``origin`` is the address of the page that asks; ``counts`` whether it counts its uses."""

    origin: str
    credential: bytes = b"one passkey"
    counts: bool = True
    flags: int = PRESENT | VERIFIED
    uses: int = 0
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    handle: str = ""

    def made(self, asked: dict[str, Any]) -> str:
        """A new passkey, as the page's script sends it."""
        self.handle = asked["user"]["id"]
        public = self.key.public_key().public_numbers()
        coordinates = {-2: public.x.to_bytes(32, "big"), -3: public.y.to_bytes(32, "big")}
        cose = cbor2.dumps({1: 2, 3: -7, -1: 1, **coordinates})
        key = bytes(16) + len(self.credential).to_bytes(2, "big") + self.credential + cose
        about = self._about(asked["rp"]["id"], WITH_KEY) + key
        attested = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": about})
        return self._answer(clientDataJSON=self._said("webauthn.create", asked), attestationObject=attested)

    def signed(self, asked: dict[str, Any], **other: Any) -> str:
        """The signed challenge, as the page's script sends it; ``other`` replaces parts of what the page asked."""
        asked = asked | other
        said, about = self._said("webauthn.get", asked), self._about(asked["rpId"])
        signature = self.key.sign(about + hashlib.sha256(said).digest(), ec.ECDSA(SHA256()))
        handle = data_of(self.handle)
        return self._answer(clientDataJSON=said, authenticatorData=about, signature=signature, userHandle=handle)

    def _said(self, kind: str, asked: dict[str, Any]) -> bytes:
        return json.dumps({"type": kind, "challenge": asked["challenge"], "origin": self.origin}).encode()

    def _about(self, host: str, more: int = 0) -> bytes:
        self.uses += self.counts
        return hashlib.sha256(host.encode()).digest() + bytes([self.flags | more]) + self.uses.to_bytes(4, "big")

    def _answer(self, **parts: bytes) -> str:
        response = {name: text(part) for name, part in parts.items()}
        id_ = text(self.credential)
        return json.dumps({"id": id_, "rawId": id_, "type": "public-key", "response": response})


def add_passkey(person: Person, device: Authenticator, password: str, name: str = "My phone") -> Page:
    """Add the device's passkey to the account of a signed-in person."""
    if not person.open("/account/passkeys").soup.select("form[data-passkey]"):
        person.press("Continue", old=password)
    return person.forge("Add a passkey", credential=device.made(asked_on(person.page)), called=name)


def sign_in_by(person: Person, device: Authenticator) -> Page:
    """Sign a browser in with the device's passkey."""
    answer = device.signed(asked_on(person.open("/sign-in/passkey")))
    return person.forge("Sign in with a passkey", credential=answer)
