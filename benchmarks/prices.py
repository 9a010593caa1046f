"""The dearest requests of strangers. Run: ``python -m benchmarks.prices [--rows 10] [--runs 3]``, from the checkout.

Makes events of 128 players of each kind in a temporary folder and asks for each address that anybody can open. Prints
the dearest, and the dearest that are made anew for each request: the processor's milliseconds of the first request
after a change and the median of further ones, and their SQL statements. No time of a network or a disk is in it.
"""

import argparse
import gc
import tempfile
import time
from datetime import UTC, datetime
from statistics import median

import migrations
from app import create_app
from events.web.http import is_expensive
from models.db import open_engine
from service.settings import read_settings
from tests.conftest import Clock
from tests.kit.large_events import made
from tests.kit.prices import example, price, public_rules, values_of
from tests.kit.stage import Stage

Row = tuple[str, float, float, str, str]
"""An address, the milliseconds of its first and a further request, statements, and what bounds it."""
NOTHING = "made for each request"


def measured(runs: int) -> list[Row]:
    """The addresses that a visitor can open, the dearest first."""
    found: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="overseer-benchmark-") as folder:
        settings, clock = read_settings({"OVERSEER_DATA": folder, "OVERSEER_RATINGS": "on"}), Clock(datetime.now(UTC))
        engine = open_engine(settings.database_url)
        migrations.upgrade(engine)
        stage = Stage(engine, clock)
        values = values_of(stage, made(stage))
        app = create_app(settings, clock=clock)
        client = app.test_client()
        for of_event in values:
            client.get(f"/e/{of_event['slug']}/version")  # stores what is due
        gc.disable()  # the server collects garbage between requests, too
        for rule in public_rules(app):
            for of_event in values if rule.rule.startswith(("/e/", "/api/v1/events/<")) else values[:1]:
                address, taken, statements = example(app, rule, of_event), [], []
                for _ in range(1 + runs):
                    began = time.process_time()
                    cost = price(app, client, address, counted=False)
                    taken.append(1000 * (time.process_time() - began))
                    statements.append(cost.statements)
                    if cost.status != 200:
                        break
                else:
                    limited = "limited" if is_expensive(rule.endpoint, rule.rule, "GET") else NOTHING
                    bound = "kept" if statements[-1] < 2 <= statements[0] else limited
                    sent = f"{statements[0]}, then {statements[-1]}"
                    found.append((address, taken[0], median(taken[1:]), sent, bound))
    return sorted(found, key=lambda row: -max(row[1:3]))


def main() -> None:
    """Print both tables in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10)
    parser.add_argument("--runs", type=int, default=3)
    chosen = parser.parse_args()
    found = measured(chosen.runs)
    for rows in (found, [row for row in found if row[-1] == NOTHING]):
        print("\n| address | first | next | statements | bounded by |\n|---|--:|--:|---|---|")
        for address, first, later, sent, bound in rows[: chosen.rows]:
            print(f"| `{address}` | {first:.0f} | {later:.1f} | {sent} | {bound} |")


if __name__ == "__main__":
    main()
