"""Forms of people's own pages."""

from wtforms import BooleanField

from events.web.forms import SiteForm, name_text
from languages.words import lazy_gettext


class PageForm(SiteForm):
    name = name_text(
        lazy_gettext("Your name"),
        80,
        description=lazy_gettext("Only you see it, unless you show the page without an alias."),
    )
    alias = name_text(
        lazy_gettext("Alias"), 80, required=False, description=lazy_gettext("Shown to others in place of your name.")
    )
    shown = BooleanField(lazy_gettext("Show my page to everybody"))
