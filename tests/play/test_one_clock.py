"""Whatever decides by the time is given it: one clock for the whole service."""

import pytest

from tests.kit.sources import CODE_FILES, found, python_files

CLOCKS = r"\bdatetime\.(now|utcnow|today)\b|\bdate\.today\b|\btime\.(time|time_ns|localtime|gmtime|ctime|strftime)\b"
CLOCKS += r"|(?i:\bCURRENT_(TIMESTAMP|TIME|DATE)\b|\bnow\(\)::|func\.(now|current_timestamp)|\bstrftime\('%s)"
READS_THE_TIME = ("app.py", "service/commands/", "events/setup/archive_file.py", "run")
"""``create_app`` has the service's one clock; a command from the shell reads the time once, as it begins."""


@pytest.mark.proves("F15")
def test_the_time_is_read_from_the_one_clock() -> None:
    """Neither the database nor a module asks the machine by itself."""
    assert [one for one in found(CODE_FILES, CLOCKS) if not one.startswith(READS_THE_TIME)] == []
    assert found(python_files("migrations/versions/"), CLOCKS) == []
    assert found(["app.py"], CLOCKS), "the control: the one clock is seen"
