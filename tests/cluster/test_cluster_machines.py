"""What the trial itself has to do: end with its first process, and leave nothing behind."""

import os
import subprocess
import sys
import time
from pathlib import Path

from tests.chaos.outcome import ROOT
from tests.cluster.machines import END_WITHIN, separated, working_in

STARTS_ONE = """
import sys, time
from pathlib import Path
from tests.cluster.machines import Network
network = Network(Path(sys.argv[1]))
network.add("machine", 99).add("service", ["sleep", "1000"]).start()
print("started", flush=True)
time.sleep(1000)
"""


def test_a_trial_that_is_killed_leaves_no_process_behind(tmp_path: Path) -> None:
    command, environment = separated([sys.executable, "-c", STARTS_ONE, str(tmp_path)])
    with subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT), **environment}, stdout=subprocess.PIPE, text=True
    ) as trial:
        assert trial.stdout is not None
        assert trial.stdout.readline() == "started\n"
        assert working_in(tmp_path), "the service does not run"
        trial.kill()
    end = time.monotonic() + END_WITHIN
    while left := working_in(tmp_path):
        assert time.monotonic() < end, f"processes were left behind: {left}"
        time.sleep(0.05)
