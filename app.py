"""The application, put together: settings, database, blueprints, headers."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache

from flask import Flask
from flask_wtf.csrf import CSRFProtect
from jinja2 import FileSystemLoader
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

import migrations
from events.accounts.loading import acting
from events.accounts.queries import PLAYER_LASTS
from events.accounts.second_factor_views import demand_second_factor
from events.hall.offline_views import say_whose
from events.lists.edition_files import MOST_SENT
from events.lists.views import store_lock
from events.rooms import BLUEPRINTS, TEMPLATES
from events.rounds.publish_views import MOST_BYTES as DRAW_BYTES
from events.setup.archive_file import MOST_BYTES
from events.template_globals import TEMPLATE_GLOBALS, template_context
from events.web import http
from events.web.error_pages import answer_errors
from events.web.heavy import limit_expensive_requests
from events.web.monitoring import watch_requests
from events.web.page_cache import PageCache
from models.db import open_engine
from service.lock import share
from service.logs import set_up_log
from service.metrics import Metrics
from service.private_files import keep_new_files_private
from service.settings import Settings, read_settings

CSRF = CSRFProtect()

BYTES = {
    "edition.add": MOST_SENT,
    "setup.import_archive": MOST_BYTES + 100_000,
    "publish.verify_page": DRAW_BYTES + 10_000,
}
"""Bytes of a request on pages that take more or less than MAX_CONTENT_LENGTH."""


def create_app(
    settings: Settings | None = None,
    *,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    running: bool = False,
) -> Flask:
    """The web application over one database. Raises BadSetting, and WrongSchema where migrations are missing.

    ``running``: hold the service lock until the process ends; raises InUse where the database is being migrated.
    """
    settings = settings or read_settings()
    app = shared_pages() if running else build_pages()
    engine = open_engine(settings.database_url, create=False)
    if running:
        share(engine)
    put_over(app, settings, engine, clock)
    return app


def served() -> Flask:
    """The application as ``overseer serve`` runs it: with its log on standard error. Raises what create_app raises."""
    keep_new_files_private()
    settings = read_settings()
    set_up_log(settings.log)
    return create_app(settings, running=True)


@cache
def shared_pages() -> Flask:
    """The pages, made once: ``overseer serve`` does it before it forks its workers."""
    return build_pages()


def build_pages() -> Flask:
    """Everything that is the same over every database: addresses, templates, error pages, and what surrounds them."""
    app = Flask("events.web")
    app.jinja_loader = FileSystemLoader(TEMPLATES)
    app.jinja_environment = http.Pages
    app.config.update(
        MAX_CONTENT_LENGTH=2_500_000,
        MAX_FORM_MEMORY_SIZE=1_000_000,
        MAX_FORM_PARTS=20_000,
        CONTENT_LENGTHS=BYTES,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=PLAYER_LASTS,  # the longest sign-in that the cookie can hold
        SESSION_REFRESH_EACH_REQUEST=False,
        WTF_CSRF_TIME_LIMIT=None,  # a form left open for a whole round must still be taken
    )
    app.session_interface = http.Sessions()
    app.debug = False
    http.set_client_and_scheme(app)
    watch_requests(app)
    app.before_request(http.refuse_other_hosts)
    limit_expensive_requests(app)
    app.before_request(http.limit_uploads)  # before the forgery check, which reads the form
    app.before_request(http.refuse_many_fields)
    CSRF.init_app(app)
    app.url_map.converters |= {"int": http.ShortNumber, "game": http.GameInAddress}
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.jinja_env.globals.update(TEMPLATE_GLOBALS)
    app.extensions["overseer_actor"] = acting
    app.extensions["overseer_store_lock"] = store_lock
    app.context_processor(template_context)
    app.before_request(http.refuse_nul)
    app.before_request(demand_second_factor)
    app.after_request(http.add_headers)
    app.after_request(say_whose)
    app.teardown_request(http.close_session)
    answer_errors(app)
    return app


def put_over(app: Flask, settings: Settings, engine: Engine, clock: Callable[[], datetime]) -> None:
    """Set the pages over one database, with all that belongs to it; nothing is left of one they stood over before.

    Raises WrongSchema where migrations are missing.
    """
    try:
        migrations.check_schema(engine)
    except DBAPIError as failed:  # visitors get a page that says so, until it answers
        logging.getLogger("overseer").error("the database does not answer at the start: %s", failed.orig)
    app.config["SECRET_KEY"] = settings.secret
    # With the prefix a browser takes the cookie from an encrypted answer of this very host alone.
    app.config["SESSION_COOKIE_NAME"] = "__Host-overseer" if settings.https else "overseer"
    app.config["SESSION_COOKIE_SECURE"] = settings.https
    app.extensions["overseer_settings"] = settings
    app.extensions["overseer_metrics"] = Metrics() if settings.metrics else None
    app.extensions["overseer_engine"] = engine
    app.extensions["overseer_clock"] = clock
    app.extensions.pop("overseer_full_at", None)
    app.extensions["overseer_page_cache"] = PageCache(clock)
    app.extensions["overseer_mail"] = settings.mail
