"""Forms of people's own pages, and of results of other clubs."""

from flask_wtf.file import FileField, FileRequired
from wtforms import BooleanField, Field
from wtforms.validators import ValidationError

from events.setup.signing import fingerprint_in
from events.web.forms import SiteForm, name_text, text
from languages.words import gettext, lazy_gettext


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


class ForeignForm(SiteForm):
    """The archive of another club's event; the key and the club's name where the key is new."""

    file = FileField(lazy_gettext("Archive"), [FileRequired(lazy_gettext("Please choose a file."))])
    key = text(lazy_gettext("Key of the club"), 1000, required=False)
    club = name_text(lazy_gettext("Name of the club"), 80, required=False)

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the key that was entered; "" for none."""
        return fingerprint_in(self.key.data or "")

    def validate_key(self, field: Field) -> None:
        try:
            fingerprint_in(field.data or "")
        except (ValueError, KeyError, TypeError, RecursionError) as wrong:
            raise ValidationError(gettext("Paste the text of that page, or its fingerprint: 3f2a-91bc-…")) from wrong
