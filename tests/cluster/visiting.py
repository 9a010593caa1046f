"""A browser without script for people of the trial: cookies, forms, and requests to one address over plain HTTP."""

import http.client
from dataclasses import dataclass, field
from functools import cached_property
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urljoin, urlsplit

from bs4 import BeautifulSoup, Tag

from tests.kit.person import controls, words

MOST_REDIRECTS = 5
Headers = dict[str, str]


@dataclass(frozen=True)
class Page:
    """An answer: its status, its headers by lower-case name, its body, and its path."""

    status: int
    headers: Headers
    body: str
    path: str

    @cached_property
    def soup(self) -> BeautifulSoup:
        """The page, parsed."""
        return BeautifulSoup(self.body, "html.parser")


@dataclass
class Visitor:
    """One person's browser. Requests go to ``host``, an address or an address and port."""

    host: str
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(
        self, method: str, path: str, body: str | None = None, headers: Headers | None = None, *,
        host: str = "", timeout: float = 20,
    ) -> Page:  # fmt: skip
        """One request on its own connection; redirects are not followed. Raises OSError or HTTPException."""
        sent = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} if self.cookies else {}
        if body is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        connection = http.client.HTTPConnection(host or self.host, timeout=timeout)
        try:
            connection.request(method, path, body, sent | (headers or {}))
            answer = connection.getresponse()
            text = answer.read().decode("utf-8", "replace")
            for line in answer.headers.get_all("Set-Cookie") or ():
                self.cookies |= {name: one.value for name, one in SimpleCookie(line).items()}
            return Page(answer.status, {name.lower(): value for name, value in answer.getheaders()}, text, path)
        finally:
            connection.close()

    def open(self, address: str, *, timeout: float = 20) -> Page:
        """Open a page and follow its redirects. Raises OSError or HTTPException."""
        path = _path(address)
        for _ in range(MOST_REDIRECTS):
            page = self.ask("GET", path, timeout=timeout)
            if page.status not in (301, 302, 303):
                return page
            path = _path(urljoin(path, page.headers["location"]))
        raise AssertionError(f"{address} redirects without end")

    def submit(self, page: Page, button: str, **changed: str) -> Page:
        """Submit the form with this button as it is, apart from the ``changed`` fields (dots in names as ``__``)."""
        found = [one for one in page.soup.find_all("button") if words(one) == button]
        assert found, f"no button {button!r} on {page.path} ({page.status}): {words(page.soup)[:500]}"
        form = found[0].find_parent("form")
        assert isinstance(form, Tag)
        fields = dict(controls(form)) | {name.replace("__", "."): value for name, value in changed.items()}
        if found[0].get("name"):
            fields[str(found[0]["name"])] = str(found[0].get("value", ""))
        path = _path(urljoin(page.path, str(found[0].get("formaction") or form.get("action") or page.path)))
        answer = self.ask("POST", path, urlencode(fields), timeout=60)
        return self.open(urljoin(path, answer.headers["location"])) if answer.status in (302, 303) else answer


def _path(address: str) -> str:
    parts = urlsplit(address)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
