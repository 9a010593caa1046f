"""The trial: an event is played while hosts are killed and cut off; what it came to, and what broke a promise."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.cluster.cluster import DATABASES, WEB_HOSTS, Cluster, until
from tests.cluster.ledger import Ledger, Stored, differences, stored_reports
from tests.cluster.machines import Machine, kill_in
from tests.cluster.people import Hall, Organiser, finish_round
from tests.cluster.visiting import Visitor

SHOWN_WITHIN = 1.0
"""Seconds in which each host shows a round that was published on one of them."""
BACK_WITHIN = 20.0
"""Seconds from losing the primary to the next accepted report, with Debian 12's Patroni (newer ones: ten more)."""
LOOK_EVERY = 0.1
PHONES_END_WITHIN = 180.0


@dataclass
class Came:
    """What a trial came to."""

    shown: list[dict[str, float]] = field(default_factory=list)
    """Of each published round, for each host: seconds from its acknowledgement to the end of the first page with it."""
    failovers: dict[str, dict[str, float]] = field(default_factory=dict)
    """For each loss of the primary: seconds until each step to the next accepted report."""
    pauses: dict[str, float] = field(default_factory=dict)
    """For each other fault: the longest time without an accepted report."""
    counts: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    stored: list[Stored] = field(default_factory=list)


class Trial:
    """A cluster in which an event is played."""

    def __init__(self, cluster: Cluster, players: int, pause: float, seed: int) -> None:
        """Set the event up; ``pause`` is the seconds between two requests of a phone."""
        self.cluster, self.came, self.ledger = cluster, Came(), Ledger()
        last = [*WEB_HOSTS][-1]  # each host that starts makes a new link, and ends the one before
        link = cluster.machine(last).folder / "overseer" / "data" / "set-up-link"
        self.olga = Organiser(cluster.front)
        self.hall: Hall = self.olga.set_up(
            link.read_text(encoding="utf-8").strip(), "Cluster Cup", players, self.ledger, random.Random(seed), pause
        )
        self.phones: list[threading.Thread] = []

    # ---- the event

    def publish(self, number: int) -> None:
        """Draw and publish a round, and time when each host shows it."""
        self.olga.draw(self.hall, number)
        first: dict[str, float] = {}
        watchers = [threading.Thread(target=self._watch, args=(name, number, first)) for name in WEB_HOSTS]
        for one in watchers:
            one.start()
        time.sleep(1)  # each host has the page without the round at hand
        acknowledged = self.olga.publish(self.hall, number)
        for one in watchers:
            one.join()
        self.came.shown.append({name: round(max(0.0, first[name] - acknowledged), 3) for name in sorted(first)})
        late = [f"{name} showed round {number} after {after} s" for name, after in self.came.shown[-1].items()
                if after > SHOWN_WITHIN]  # fmt: skip
        late += [f"{name} never showed round {number}" for name in WEB_HOSTS if name not in first]
        self.came.wrong += late

    def _watch(self, name: str, number: int, first: dict[str, float]) -> None:
        """Look at the event's page on one host until it has the round."""
        visitor, link = Visitor(self.cluster.web(name)), f'/e/{self.hall.slug}/rounds/{number}"'
        for _ in range(300):
            page = visitor.ask("GET", f"/e/{self.hall.slug}")
            if link in page.body:
                first[name] = time.monotonic()
                return
            time.sleep(LOOK_EVERY)

    def play(self) -> None:
        """Let all phones work."""
        self.phones = self.hall.play()

    def finish(self) -> None:
        """Let the phones end what they began, and both players of each table report the same."""
        self.hall.over.set()
        end = time.monotonic() + PHONES_END_WITHIN
        for one in self.phones:
            one.join(max(0.0, end - time.monotonic()))
        assert not any(one.is_alive() for one in self.phones), f"phones wait for answers:\n{self.cluster.said()}"
        finish_round(self.hall)

    def work(self, seconds: float) -> None:
        """Let everybody go on for a while."""
        time.sleep(seconds)

    # ---- the faults

    def kill_web_host(self, name: str) -> None:
        """Kill a web host, and start it again ten seconds later."""
        with self._paused(f"web host {name} killed"):
            service = self.cluster.machine(name).services["overseer"]
            service.kill()
            self.work(10)
            service.start()
            until(f"{name} is ready again", lambda: self.cluster.is_ready(name), self.cluster.said)

    def kill_primary(self, *, standbys_cut_off: bool = False) -> None:
        """Kill PostgreSQL and Patroni of the primary, at once or when both standbys were cut off for three seconds.

        In these three seconds nobody has what the primary commits.
        """
        name = self._primary()
        if standbys_cut_off:
            self._each_standby(name, Machine.isolate)
            self.work(3)
        lost = time.monotonic()
        service = self.cluster.machine(name).services["patroni"]
        service.kill()
        self._each_standby(name, Machine.join)
        how = "killed after both standbys were cut off" if standbys_cut_off else "killed"
        self._time_failover(name, how, lost)
        service.start()
        self.wait_until_whole()

    def cut_power_of_primary(self) -> None:
        """Lose the primary's whole machine, etcd too: its connections do not end, they go silent."""
        name = self._primary()
        machine = self.cluster.machine(name)
        lost = time.monotonic()
        machine.isolate()
        for service in machine.services.values():
            service.kill()
        self._time_failover(name, "lost its power", lost)
        machine.join()
        for service in machine.services.values():
            service.start()
        self.wait_until_whole()

    def crash_primary(self) -> None:
        """Kill only PostgreSQL of the primary: Patroni sees that, and makes it a standby of the next one."""
        name = self._primary()
        lost = time.monotonic()
        kill_in(self.cluster.machine(name).services["patroni"].folder / "data")
        self._time_failover(name, "PostgreSQL crashed", lost)
        self.wait_until_whole()

    def _primary(self) -> str:
        name = self.cluster.primary()
        assert name, f"there is no primary:\n{self.cluster.said()}"
        return name

    def _each_standby(self, primary: str, change: Callable[[Machine], None]) -> None:
        for name in DATABASES:
            if name != primary:
                change(self.cluster.machine(name))

    def _time_failover(self, primary: str, how: str, lost: float) -> None:
        """Wait for the next accepted report, and keep how many seconds after ``lost`` each step was taken."""
        gone = time.monotonic()
        steps: dict[str, Callable[[], bool]] = {
            "a standby is the primary": lambda: bool(self.cluster.primary(but=primary)),
            **{f"{one} reaches it": lambda one=one: self.cluster.is_ready(one) for one in WEB_HOSTS},  # type: ignore[misc]
            "a report is accepted": lambda: self.ledger.next_after(gone) is not None,
        }
        with ThreadPoolExecutor(len(steps)) as pool:
            waits = {step: pool.submit(until, step, is_so, self.cluster.said) for step, is_so in steps.items()}
            seconds = {step: round(gone - lost + wait.result(), 1) for step, wait in waits.items()}
        first = self.ledger.next_after(gone)
        assert first is not None
        seconds["a report is accepted"] = round(first.answered_at - lost, 1)
        number = len(self.came.failovers) + 1
        self.came.failovers[f"{number}: {primary} {how}, {self.cluster.primary(but=primary)} took over"] = seconds
        if seconds["a report is accepted"] > BACK_WITHIN:
            self.came.wrong.append(f"failover {number} took {seconds['a report is accepted']} s")

    def isolate_standby(self, seconds: float) -> None:
        """Cut off the standby for which commits wait, and bring it back."""
        name = self.cluster.synchronous_standby()
        assert name, f"there is no synchronous standby:\n{self.cluster.said()}"
        with self._paused(f"standby {name} cut off for {seconds:.0f} s"):
            self.cluster.machine(name).isolate()
            self.work(seconds)
            self.cluster.machine(name).join()
            self.wait_until_whole()

    def wait_until_whole(self) -> None:
        """Wait until all three database machines follow one primary."""
        until("a primary with two standbys", self.cluster.whole, self.cluster.said)

    @contextmanager
    def _paused(self, fault: str) -> Iterator[None]:
        began = time.monotonic()
        yield
        self.came.pauses[fault] = round(self.ledger.longest_pause(began, time.monotonic()), 1)

    # ---- the outcome

    def outcome(self) -> Came:
        """Compare what the phones saw acknowledged with the database."""
        with self.cluster.connect() as connection:
            self.came.stored = stored_reports(connection)
        saved = self.ledger.saved()
        self.came.wrong += differences(self.ledger.sent, self.came.stored)
        self.came.counts = {
            "players": len(self.hall.phones),
            "reports sent": len(self.ledger.sent),
            "reports acknowledged": len(saved),
            "reports refused": sum(one.state == "refused" for one in self.ledger.sent),
            "acknowledged after more than one try": sum(one.tries > 1 for one in saved),
            "reports stored": len(self.came.stored),
            "pages read": self.hall.pages["200"],
            "pages not answered with 200": sum(n for name, n in self.hall.pages.items() if name != "200"),
        } | {f"tries answered by {name}": n for name, n in sorted(self.ledger.other_answers.items())}
        return self.came
