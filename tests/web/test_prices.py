"""What a stranger can ask for costs little, is kept, or has a limit: counted in statements, templates and calls."""

from dataclasses import replace

import pytest
from flask import Flask

from events.web.http import is_expensive
from tests.kit.large_events import made
from tests.kit.prices import Price, example, price, public_rules, values_of
from tests.kit.profiles import every_nth
from tests.kit.stage import Stage

MOST_STATEMENTS = 45
"""Of the first request after a change."""
KEPT = Price(200, 1, 0, 15_000)
"""The most of a page that is kept: the event's stamp is read."""
MADE = Price(200, 20, 1, 200_000)
"""The most of a page that is made for each request: about 40 ms of processor."""
ASKED = {
    "read": ("limit=101", "limit=102&cursor=1", "fields=name", "x=1"), "leagues": ("player=0", "x=1"),
    "rounds": ("find=player", "order=name", "x=1"), "standings": ("after=1", "x=1"),
}  # fmt: skip
"""Arguments with which addresses are asked, by the first part of their endpoint; others with an unknown one."""
CLOSED = {401, 403}
UNOPENED = {
    "account_mail.confirm_of_account", "accounts.open_set_up", "accounts.set_up", "crawler.security", "lists.sealed",
    "monitoring.metrics", "notices.lost_link", "own_messages.confirm_address",
    "own_messages.open_mail_link", "own_page.open_link", "own_page.open_page", "registration.confirm_mail",
    "registration.open_mailed_link", "registration.open_private_link", "registration.switch_player",
    "share.shared_page", "sheet.from_sheet", "sheet.report", "staff.accept", "staff.open_invitation",
}  # fmt: skip
"""Endpoints of links that only their owners know, of files under their digest, and of what is not set up here."""


def within(found: Price, most: Price) -> bool:
    return found.statements <= most.statements and found.templates <= most.templates and found.calls <= most.calls


@pytest.mark.proves("attack 82", "attack 97")
@every_nth(36, 1)
def test_each_public_address_is_cheap_or_kept_or_limited(app: Flask, stage: Stage, step: int) -> None:
    app.extensions["overseer_settings"] = replace(app.extensions["overseer_settings"], ratings=True)
    values, client = values_of(stage, made(stage)), app.test_client()
    dear, unopened = list[str](), list[str]()
    for of_event in values:
        client.get(f"/e/{of_event['slug']}/version")  # stores what is due
    for rule in public_rules(app)[::step]:
        limited, statuses = is_expensive(rule.endpoint, rule.rule, "GET"), set[int]()
        for of_event in values if rule.rule.startswith(("/e/", "/api/v1/events/<")) else values[:1]:
            if statuses & CLOSED or (limited and 200 in statuses):
                break  # the first of its events that shows it is enough
            address, asked = example(app, rule, of_event), ASKED.get(rule.endpoint.split(".")[0], ("x=1",))
            first = price(app, client, address, counted=False)
            queries = ("", *asked) if first.status == 200 and 200 not in statuses and not limited else ()
            statuses.add(first.status)
            if first.statements > MOST_STATEMENTS:
                dear.append(f"{address}: {first}")
            for query in queries:
                if query:
                    client.get(f"{address}?{query}", buffered=True)  # keeps it
                again = price(app, client, f"{address}?{query}")
                if not (within(again, KEPT) or within(again, MADE)):
                    dear.append(f"{address}?{query}: {again}")
        if statuses == {404} and rule.endpoint not in UNOPENED:
            unopened.append(f"{rule.rule} needs an example that is there")
    assert "\n".join((*dear, *unopened)) == ""
