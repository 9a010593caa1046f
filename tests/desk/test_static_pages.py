"""A page as a file: its links lead to files or to the live site, and nothing in it needs a server."""

from events.desk.round_pack_views import as_file, file_of, read_page

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="live" content="/e/x/version"><link rel="manifest" href="/m">
<link rel="stylesheet" href="/static/o.css?v=1"><script src="/static/o.js" defer></script></head>
<body data-poll="/e/x"><main id="main"><a href="/e/x/rounds/1?order=name&amp;b=2#t">A &amp; B &lt;x&gt; &#9731;</a>
<svg viewBox="0 0 1 1"><path d="M0 0"/></svg><a href="#here">here</a><a href="https://else.org/?a=1&amp;b=2">else</a>
<form action="/desk"><input name="csrf_token" value="secret"><a href="/in">in</a></form><a href="../y">up</a>
<section class="round-clock big"><section>1:30:00</section>left</section>
<a href="mailto:a@b.c">mail</a></main></body></html>"""
FILES = {"/static/o.css?v=1": "o.css", "/e/x/rounds/1?b=2&order=name": "round-1.html"}
KEPT = (
    '<link rel="stylesheet" href="o.css">', '<a href="round-1.html#t">A &amp; B &lt;x&gt; &#9731;</a>',
    '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>', '<a href="#here">here</a>', "<!doctype html>",
    '<a href="https://else.org/?a=1&amp;b=2">else</a>', '<a href="https://desk.org/e/y">up</a>', "<body>",
    '<main id="main"><p>A copy</p>', '<a href="mailto:a@b.c">mail</a></main></body></html>', '<meta charset="utf-8">',
)  # fmt: skip
GONE = ("script", "form", "csrf", "secret", "manifest", "live", "1:30:00", "left", "poll", "/in")


def test_page_keeps_its_content_and_loses_what_needs_a_server() -> None:
    made = as_file(read_page(PAGE, "/e/x/"), FILES, "https://desk.org/", "<p>A copy</p>")
    assert [one for one in KEPT if one not in made] == []
    assert [one for one in GONE if one in made] == []


def test_links_are_found_once_in_order_and_files_are_named_after_addresses() -> None:
    assert read_page(PAGE + PAGE, "/e/x/").links == ["/e/x/rounds/1?b=2&order=name", "/e/x/", "/e/y"]
    names = {
        "/e/x/rounds/1?order=name": "round-1-order-name.html", "/e/x/standings?after=2": "standings-after-2.html",
        "/e/x/players/12": "player-12.html", "/rules/battle-mode": "rules-battle-mode.html",
        "/e/x/scenarios/own-Ünd..%2F": "scenario-own-nd-2f.html",
    }  # fmt: skip
    assert {address: file_of(address, "/e/x") for address in names} == names
