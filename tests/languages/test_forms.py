"""The errors that WTForms words itself, in the reader's language."""

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from events.seasons.forms import form_of_questions
from languages.words import speaking
from tests.kit.person import Person
from tests.kit.stage import Stage
from validators.calculator import one_of

NOT_OFFERED = {
    "en": "Not a valid choice",
    "de": "Keine gültige Auswahl",
    "fr": "pas un choix valide",
    "es": "Opción inválida",
    "pl": "Nieprawidłowy wybór",
    "it": "Non è una opzione valida",
}


@pytest.mark.parametrize(("code", "said"), NOT_OFFERED.items())
def test_choice_that_is_not_offered(olga: Person, stage: Stage, code: str, said: str) -> None:
    event = stage.event()
    olga.post("/language", language=code, back="/")
    assert said in olga.post(f"/e/{event.slug}/register", name="Ada", faction="Nowhere").text


def test_steps_of_campaigns_ask_in_forms_of_the_readers_language(app: Flask) -> None:
    asked = one_of("who", "Who", [("c1", "Ash")])
    with app.test_request_context(), speaking("de"):
        form = form_of_questions([asked], "of-")
        form.process(MultiDict({"of-who": "c9"}))
        assert not form.validate() and "Keine gültige Auswahl" in " ".join(form["who"].errors)
