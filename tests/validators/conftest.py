"""What the tests of the builders share."""

from collections.abc import Iterator

import pytest
from flask import Flask

from tests.kit.builder_pages import page_context


@pytest.fixture(scope="module")
def builder_app() -> Iterator[Flask]:
    """What drawing a builder page needs."""
    with page_context() as app:
        yield app
