"""The address and the host names by which people reach the service: settings from the environment."""

import fcntl
import re
import socket
import struct
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""The names of this machine that no other machine can reach."""
UNIX = "unix"
"""In OVERSEER_PROXIES: a proxy that connects through a unix socket."""
Proxies = tuple[IPv4Network | IPv6Network | str, ...]
NAME = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?|[0-9a-f:.]{2,45}")


def read_address(typed: str) -> str:
    """The service's public address (OVERSEER_ADDRESS), without a slash at its end; "" where none is set.

    Links are made of it alone, never of the host that a request names. Raises ValueError.
    """
    try:
        url = urlsplit(typed)
        fine = url.scheme in ("http", "https") and url.hostname and url.path in ("", "/") and (url.port or 1)
    except ValueError:
        url, fine = urlsplit(""), False
    if typed and (not fine or url.query or url.fragment or url.username or not typed.isprintable()):
        raise ValueError("OVERSEER_ADDRESS: the address at which people reach this service is needed: https://HOST")
    return typed.rstrip("/")


def address_in_network() -> str:
    """This machine's IPv4 address for its local network; "" where it has none. Nothing is sent."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        with suppress(OSError):
            probe.connect(("192.0.2.1", 9))  # UDP: it only chooses the route to the Internet
            found.append(probe.getsockname()[0])
        for _, name in socket.if_nameindex():  # without such a route, as with a hotspot of its own
            with suppress(OSError):
                answer = fcntl.ioctl(probe, 0x8915, struct.pack("256s", name.encode()[:15]))  # Linux's SIOCGIFADDR
                found.append(socket.inet_ntoa(answer[20:24]))
    return next((one for one in found if not ip_address(one).is_loopback), "")


def read_hosts(typed: str, public: str) -> frozenset[str]:
    """The names of OVERSEER_HOSTS, separated by commas, and that of the public address, in small letters.

    Raises ValueError for an invalid name. "*" is one: with it any page could name its own host.
    """
    names = [name.strip().lower().strip("[]").rstrip(".") for name in typed.split(",") if name.strip()]
    if wrong := [name for name in names if not NAME.fullmatch(name)]:
        raise ValueError(f"OVERSEER_HOSTS: host names with commas between them are needed, not {wrong[0][:40]!r}")
    return frozenset([*names, *filter(None, [urlsplit(public).hostname])])


def read_domain(typed: str) -> str:
    """The domain for which the proxy gets a certificate (OVERSEER_DOMAIN); "" where none is set. Raises ValueError."""
    name = typed.strip().lower()
    if name and (not NAME.fullmatch(name) or ":" in name or name.replace(".", "").isdigit()):
        raise ValueError(f"OVERSEER_DOMAIN: a domain name is needed: club.example, not {name[:40]!r}")
    return name


def read_proxies(typed: str) -> Proxies:
    """The addresses and networks of OVERSEER_PROXIES, separated by commas. Raises ValueError."""
    names = [one.strip() for one in typed.split(",") if one.strip()]
    try:
        return tuple(UNIX if one == UNIX else ip_network(one) for one in names)
    except ValueError as bad:
        raise ValueError(
            f"OVERSEER_PROXIES: the proxies' addresses are needed, separated by commas: 127.0.0.1, not {typed[:40]!r}"
        ) from bad
