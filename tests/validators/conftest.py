"""The application in which tests draw builder pages."""

from collections.abc import Iterator

import pytest
from flask import Flask
from jinja2 import FileSystemLoader

from events.rooms import BLUEPRINTS, TEMPLATES
from events.template_globals import TEMPLATE_GLOBALS
from events.web.http import GameInAddress
from events.web.language import speak_to_readers


@pytest.fixture(scope="module")
def builder_app() -> Iterator[Flask]:
    """An application with every route and no database: enough to draw a builder page."""
    app = Flask("events.web")
    app.jinja_loader = FileSystemLoader(TEMPLATES)
    app.url_map.converters["game"] = GameInAddress
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    speak_to_readers(app)
    app.jinja_env.globals |= TEMPLATE_GLOBALS
    with app.test_request_context("/"):
        yield app
