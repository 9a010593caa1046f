"""The typeface of pages, as ``service/typeface.py`` cuts it, in a browser."""

from service.typeface import FILES
from tests.browser.visits import Visits


def test_browser_reads_the_typeface_and_phones_load_little(visits: Visits) -> None:
    page = visits.phone()
    page.goto("/")
    loaded = page.evaluate(
        """async () => {
            const faces = [...await document.fonts.load("600 90px Archivo", "A"),
                           ...await document.fonts.load("600 90px Archivo", "ñ"),
                           ...await document.fonts.load("600 90px Archivo", "Ł")];
            const brush = document.createElement("canvas").getContext("2d");
            const width = (weight) => {
                brush.font = `${weight} 90px Archivo, monospace`;
                return brush.measureText("Łabędź").width;
            };
            return [faces.map(face => face.status), width(900) > width(400)];
        }"""
    )
    assert loaded == [["loaded", "loaded", "loaded"], True]
    answers = [page.request.get(f"/static/{name}").headers for name in FILES]
    assert {headers["content-encoding"] for headers in answers} == {"br"}
    sizes = [int(headers["content-length"]) for headers in answers]
    assert sizes[0] <= 36_000 and sum(sizes) <= 90_000
