"""A push service on loopback, as browser vendors run them: checks, decrypts and keeps the messages for one browser."""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

SECONDS = 20.0


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "==")


def point_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def decrypted(body: bytes, key: ec.EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """What a browser with these keys reads, by RFC 8188 and RFC 8291: the content of a body of one record."""

    def derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
        return HKDF(hashes.SHA256(), length, salt, info).derive(secret)

    salt, sender, record = body[:16], body[21 : 21 + body[20]], body[21 + body[20] :]
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
    secret = derived(shared, auth, b"WebPush: info\0" + point_of(key) + sender, 32)
    nonce = derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    content = AESGCM(derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)).decrypt(nonce, record, None)
    assert content.endswith(b"\2") and len(record) <= int.from_bytes(body[16:20], "big"), "more than one record"
    return content[:-1]


def is_signed(token: str, public: str) -> bool:
    """Whether a JSON Web Token is signed (ES256) with the private key of this public one, as RFC 8292 demands."""
    signed, _, signature = token.rpartition(".")
    r, s = (int.from_bytes(half, "big") for half in (decoded(signature)[:32], decoded(signature)[32:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(public))
    try:
        key.verify(utils.encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return False
    header: dict[str, str] = json.loads(decoded(token.split(".")[0]))
    return header["alg"] == "ES256"


@dataclass
class PushService:
    """The decrypted messages that arrived; ``status`` sets the answers, by the browser's name."""

    arrived: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    """The paths of all requests, including refused ones."""
    status: dict[str, int] = field(default_factory=dict)
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = b"sixteen letters!"
    came: threading.Condition = field(default_factory=threading.Condition)
    signed_by: str = ""
    """The server's public key of the last push."""
    address: str = ""

    @property
    def p256dh(self) -> str:
        return encoded(point_of(self.key))

    def browser(self, name: str) -> dict[str, str]:
        """The subscription that a browser of this name sends to a site."""
        return {"endpoint": f"{self.address}/push/{name}", "p256dh": self.p256dh, "auth": encoded(self.auth)}

    def take(self, path: str, headers: dict[str, str], body: bytes) -> int:
        """Receive one message; returns 201, the status set by the test, or 403 without a valid signature."""
        status = self.status.get(path.rsplit("/", 1)[-1], 201)
        token, _, key = headers["authorization"].removeprefix("vapid t=").partition(",k=")
        if not is_signed(token, key) or json.loads(decoded(token.split(".")[1]))["aud"] != self.address:
            status = 403
        with self.came:
            self.asked.append(path)
            if status == 201:
                self.signed_by = key
                self.arrived.append((path.rsplit("/", 1)[-1], json.loads(decrypted(body, self.key, self.auth))))
            self.came.notify_all()
        return status

    def wait_for(self, count: int) -> None:
        with self.came:
            assert self.came.wait_for(lambda: len(self.arrived) >= count, SECONDS), f"{len(self.arrived)} pushes came"


@contextmanager
def push_service() -> Iterator[PushService]:
    """Run a push service on a free port until the block ends."""
    service = PushService()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status = service.take(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            self.send_response(status)
            if status in (301, 307):
                self.send_header("Location", f"{service.address}/push/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    service.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
