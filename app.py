"""The application: settings, database, the list of rooms."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from flask import Flask
from flask_wtf.csrf import CSRFProtect
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

import migrations
from events.accounts.browser import client_of_request
from events.accounts.second_factor_views import demand_second_factor
from events.api.admission import Counted
from events.lists.desk_views import store_lock
from events.messages.permits import count_by
from events.public.offline_views import set_owner_headers
from events.rooms import BLUEPRINTS, LARGEST_REQUESTS, TEMPLATES, WITHOUT_FORM_TOKEN
from events.seasons.campaigns_views import create_missing_groups
from events.template_globals import TEMPLATE_GLOBALS, template_context
from events.visitors.loading import acting, signed_in
from events.visitors.queries import PLAYER_LASTS
from events.web import http
from events.web.error_pages import answer_errors
from events.web.language import speak_to_readers
from events.web.monitoring import watch_requests
from events.web.page_cache import PageCache
from events.web.static_files import add_release
from languages.catalogues import compile_catalogues
from models.db import open_engine
from models.event import Event
from service.gauges import gauges
from service.health import Metrics
from service.lock import share
from service.logs import set_up_log
from service.private_files import keep_new_files_private
from service.settings import Settings, read_settings
from service.typeface import make_typeface

CSRF = CSRFProtect()
Clock = Callable[[], datetime]


def create_app(
    settings: Settings | None = None, *, clock: Clock = lambda: datetime.now(UTC), running: bool = False
) -> Flask:
    """The application over one database. Raises BadSetting, and WrongSchema if migrations are missing.

    ``running``: hold the service lock until the process ends; raises InUse while the database is being migrated.
    """
    settings = settings or read_settings()
    app = shared_pages() if running else build_pages()
    engine = open_engine(settings.database_url, create=False)
    if running:
        share(engine)
    attach_database(app, settings, engine, clock)
    return app


def served() -> Flask:
    """The application of ``overseer serve``, which logs to standard error. Raises what create_app raises."""
    keep_new_files_private()
    settings = read_settings()
    set_up_log(settings.log)
    return create_app(settings, running=True)


@cache
def shared_pages() -> Flask:
    """The pages, built once: ``overseer serve`` does so before it forks its workers."""
    return build_pages()


def store_what_is_due(event: Event) -> None:
    """Store what has become due since the last request: locked lists, and the groups founded from them."""
    store_lock(event)
    create_missing_groups(event)


def build_pages() -> Flask:
    """Everything that does not depend on the database: routes, templates, error pages, hooks."""
    app = Flask("events.web")
    http.configure(app, TEMPLATES, LARGEST_REQUESTS, PLAYER_LASTS)
    make_typeface(Path(app.static_folder or ""))
    compile_catalogues()
    add_release(app)
    speak_to_readers(app)
    watch_requests(app)
    app.before_request(http.refuse_other_hosts)
    app.before_request(http.refuse_other_sites)
    http.limit_expensive_requests(app)
    app.before_request(http.limit_uploads)  # before the CSRF check, which reads the form
    app.before_request(http.refuse_many_fields)
    CSRF.init_app(app)
    for blueprint in WITHOUT_FORM_TOKEN:
        CSRF.exempt(blueprint)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.jinja_env.globals.update(TEMPLATE_GLOBALS)
    app.context_processor(template_context)
    app.extensions |= {
        "overseer_actor": acting, "overseer_signed_in": signed_in, "overseer_client": client_of_request,
        "overseer_store_lock": store_what_is_due,
    }  # fmt: skip
    app.before_request(http.refuse_nul)
    app.before_request(demand_second_factor)
    app.after_request(http.add_headers)
    app.after_request(set_owner_headers)
    app.teardown_request(http.close_session)
    answer_errors(app)
    return app


def attach_database(app: Flask, settings: Settings, engine: Engine, clock: Clock) -> None:
    """Serve the pages from this database, replacing everything of an earlier one. Raises WrongSchema."""
    try:
        migrations.check_schema(engine)
    except DBAPIError as failed:  # visitors get an error page until it answers
        logging.getLogger("overseer").error("the database does not answer at the start: %s", failed.orig)
    count_by(engine, settings.secret)
    app.config.update(
        SECRET_KEY=settings.secret,
        SESSION_COOKIE_NAME=http.cookie_name(settings),
        SESSION_COOKIE_SECURE=settings.https,
    )
    app.extensions.pop("overseer_full_at", None)
    app.extensions |= {
        "overseer_settings": settings,
        "overseer_metrics": Metrics() if settings.metrics else None,
        "overseer_gauges": lambda: gauges(engine, settings.data, clock()),
        "overseer_engine": engine,
        "overseer_clock": clock,
        "overseer_page_cache": PageCache(clock),
        "overseer_mail": settings.mail,
        "overseer_api_requests": Counted(),
    }
