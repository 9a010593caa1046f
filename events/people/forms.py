"""The form of a person's own page."""

from flask_wtf import FlaskForm
from wtforms import BooleanField

from events.web.forms import name_text


class PageForm(FlaskForm):
    """What the page says of the person, and who reads it."""

    name = name_text("Your name", 80, description="Only you see it, unless you show the page without an alias.")
    alias = name_text("Alias", 80, required=False, description="Shown to others in place of your name.")
    shown = BooleanField("Show my page to everybody")
