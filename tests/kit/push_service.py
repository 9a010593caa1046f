"""A push service on loopback, as browser vendors run them: checks, decrypts and keeps the messages for one browser."""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

SECONDS = 20.0


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


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
        point = serialization.PublicFormat.UncompressedPoint
        return encoded(self.key.public_key().public_bytes(serialization.Encoding.X962, point))

    def browser(self, name: str) -> dict[str, str]:
        """The subscription that a browser of this name sends to a site."""
        return {"endpoint": f"{self.address}/push/{name}", "p256dh": self.p256dh, "auth": encoded(self.auth)}

    def take(self, path: str, headers: dict[str, str], body: bytes) -> int:
        """Receive one message; returns 201, the status set by the test, or 403 without a valid signature."""
        status = self.status.get(path.rsplit("/", 1)[-1], 201)
        claims = headers["authorization"]
        if not Vapid02.verify(claims):
            status = 403
        token, _, key = claims.removeprefix("vapid t=").partition(",k=")
        padded = token.split(".")[1] + "=="
        if json.loads(base64.urlsafe_b64decode(padded))["aud"] != self.address:
            status = 403
        with self.came:
            self.asked.append(path)
            if status == 201:
                self.signed_by = key
                text = http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm")
                self.arrived.append((path.rsplit("/", 1)[-1], json.loads(text)))
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
