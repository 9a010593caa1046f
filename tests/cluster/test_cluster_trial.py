"""An event of 200 players on three web hosts and three database machines, while they are killed and cut off."""

import json
import os
import platform
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.chaos.outcome import EVIDENCE
from tests.cluster.cluster import Cluster
from tests.cluster.ledger import Sent, Stored, differences
from tests.cluster.machines import working_in
from tests.cluster.trial import Came, Trial

PLAYERS = 200
PAUSE = 12.0
"""Seconds between two requests of a phone: with 200 phones some 17 requests a second."""
FAILOVERS = 4
STEPS = "seconds from losing the primary to each step"
COMPARED = ("at", "load at the end", STEPS, "counts", "broken promises")
"""What the evidence keeps of earlier runs."""
EARLIER_RUNS = 5

Open = Callable[..., Cluster]


@pytest.fixture
def opened() -> Iterator[Open]:
    """Starts clusters, and ends them after the test."""
    made: list[Cluster] = []

    def start(**settings: bool) -> Cluster:
        made.append(Cluster(**settings))
        made[-1].start()
        return made[-1]

    yield start
    for one in made:
        folder = one.network.folder
        one.end()
        assert working_in(folder) == [], "processes were left behind"
        assert not folder.exists(), "files were left behind"


def test_no_acknowledged_result_is_lost_when_hosts_are_killed(opened: Open) -> None:
    cluster = opened()
    trial = Trial(cluster, PLAYERS, PAUSE, seed=8)
    trial.publish(1)
    trial.play()
    trial.work(10)
    trial.kill_web_host("web1")
    trial.kill_primary()
    trial.finish()
    trial.publish(2)
    trial.play()
    trial.isolate_standby(15)
    trial.cut_power_of_primary()
    trial.kill_web_host("web3")
    trial.finish()
    trial.publish(3)
    trial.play()
    trial.kill_primary(standbys_cut_off=True)
    trial.crash_primary()
    trial.finish()
    came = trial.outcome()

    planted = {name: [*differences(trial.ledger.sent, rows)] for name, rows in planted_in(came, trial).items()}
    write_evidence(cluster, came, {name: len(found) for name, found in planted.items()})
    assert came.wrong == []
    assert all(planted.values()), f"the check does not see {planted}"
    assert len(came.failovers) == FAILOVERS
    assert came.counts["reports acknowledged"] > PLAYERS * 3


def planted_in(came: Came, trial: Trial) -> dict[str, list[Any]]:
    """What the database holds with a fault put in: the check has to find each."""
    rows, middle = came.stored, len(came.stored) // 2
    changed = replace(rows[middle], figures={**rows[middle].figures, "a.planted": 1})
    return {
        "a report lost": rows[:middle] + rows[middle + 1 :],
        "a report doubled": [*rows, rows[middle]],
        "a report changed": [*rows[:middle], changed, *rows[middle + 1 :]],
    }


def test_without_a_synchronous_standby_the_same_faults_lose_results(opened: Open) -> None:
    """The control: commits wait for nobody, so what was acknowledged while the standbys were cut off is gone."""
    trial = Trial(opened(synchronous=False), 40, 1.0, seed=9)
    trial.publish(1)
    trial.play()
    trial.work(5)
    trial.kill_primary(standbys_cut_off=True)
    trial.finish()
    lost = [one for one in trial.outcome().wrong if one.endswith("lost")]
    assert lost, "the trial does not notice lost reports"


def test_the_check_sees_order_and_unanswered_reports() -> None:
    a = Sent(1, 10, "key-a", {"x": 1}, "saved")
    b = Sent(1, 11, "key-b", {"x": 2}, "saved")
    unknown = Sent(2, 12, "key-c", {"x": 1})
    rows = [Stored(1, 1, 10, {"x": 1}), Stored(2, 1, 11, {"x": 2})]
    assert [*differences([a, b], rows)] == []
    assert [*differences([a, b], rows[::-1])] == ["game 1: stored in another order than acknowledged"]
    assert [*differences([a, b, unknown], rows)] == ["key-c: nobody knows what became of it"]


def write_evidence(cluster: Cluster, came: Came, planted: dict[str, int]) -> None:
    """Keep what the trial came to."""
    versions = {
        "PostgreSQL": said_by("/usr/lib/postgresql/15/bin/postgres", "--version"),
        "Patroni": said_by("patroni", "--version"),
        "etcd": said_by("etcd", "--version"),
        "HAProxy": said_by("haproxy", "-v"),
        "Python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
    }
    found = {
        "command": "./run test --cluster",
        "at": datetime.now(UTC).isoformat(timespec="minutes"),
        "versions": versions,
        "network": "a namespace for each machine" if cluster.network.namespaces else "loopback addresses",
        "load at the end": " ".join(f"{one:.1f}" for one in os.getloadavg()),
        "seconds until each host showed a round": came.shown,
        STEPS: came.failovers,
        "longest pause between accepted reports, seconds": came.pauses,
        "counts": came.counts,
        "broken promises": came.wrong,
        "differences found where one was planted": planted,
    }
    path = EVIDENCE / "cluster.json"
    last = json.loads(path.read_text(encoding="utf-8"))
    found["earlier runs"] = [{name: last[name] for name in COMPARED}, *last.get("earlier runs", ())][:EARLIER_RUNS]
    path.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def said_by(*command: str) -> str:
    """The first line that a program writes."""
    return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]
