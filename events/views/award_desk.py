"""Awards at the desk: set up, winners named by hand, the prize-giving press by press, published, certificates."""

from collections.abc import Callable, Mapping

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import SelectField
from wtforms.fields import SelectChoice
from wtforms.validators import NumberRange

from events.actions import awards as actions
from events.actions.award_winners import Decided, decided, faction_word, final_rows, prizes
from events.errors import Refused
from events.reading import completed_rounds, players_of, round_views
from events.soft_rules import soft_rules
from events.typed import whole_number
from events.views.certificates import award_pages, participation_pages
from events.views.fields import number, show_at_field, text
from events.views.paper import pdf_answer, printed_at
from events.views.press import id_sent, pressed
from events.views.request import LONGEST_ID, actor, changing, db, managed_event, now
from models.award import Award, AwardKind, AwardPick
from models.event import Event
from pdf.certificate import certificates

blueprint = Blueprint("award_desk", __name__)

KINDS = {
    AwardKind.OWN: "whom I name",
    AwardKind.PLACE: "a place in the standings",
    AwardKind.OVERALL: "the best overall score",
    AwardKind.PAINTED: "the best figure for painting",
    AwardKind.PAINTED_VOTE: "the most votes for painting",
    AwardKind.SPORT: "the best figure for sportsmanship",
    AwardKind.MOST_VP: "the most victory points",
    AwardKind.FACTION: "the best of each faction",
    AwardKind.SPOON: "the last place",
}
PRESSES: Mapping[str, tuple[Callable[..., None], str]] = {
    "usual": (actions.add_usual, "The usual awards stand below."),
    "publish": (actions.publish_awards, "Everybody can read the awards now."),
    "unpublish": (actions.unpublish_awards, "The page of the awards is taken back."),
    "from-start": (actions.show_from_start, "The projector shows no award."),
}


class AwardForm(FlaskForm):
    """One more award."""

    name = text("Name of the award", 80)
    kind = SelectField("It goes to", choices=[SelectChoice(kind.value, words) for kind, words in KINDS.items()])
    place = number("Place", 1, 100, required=False, description="For a place in the standings alone.")


class WinnerForm(FlaskForm):
    """A winner by hand."""

    award = SelectField("Award", choices=[])
    player = SelectField("Winner", [NumberRange(min=1, message="Choose a player.")], coerce=whole_number)
    reason = text("Reason", 300, description="Stands beside the award, for everybody to read: what it is for.")

    def offer(self, event: Event, found: list[Decided]) -> None:
        """Fill in awards and players."""
        self.award.choices = [SelectChoice(one.key, one.title) for one in found]
        people = sorted(players_of(db(), event), key=lambda p: p.name_key)
        self.player.choices = [SelectChoice("0", "Choose a player"), *(SelectChoice(str(p.id), p.name) for p in people)]


@blueprint.route("/e/<slug>/desk/awards", methods=["GET", "POST"])
def manage(slug: str) -> ResponseReturnValue:
    """All awards with who wins them as things stand, and what is done with them."""
    event = managed_event(slug)
    sent = request.form.get("do", "") if request.method == "POST" else ""
    found = decided(db(), event)
    add = AwardForm(prefix="a-") if sent == "add" else AwardForm(None, prefix="a-")
    winner = WinnerForm(prefix="w-") if sent == "name" else WinnerForm(None, prefix="w-")
    winner.offer(event, found)
    if request.method == "POST" and sent not in ("add", "name"):
        abort(404)
    form = add if sent == "add" else winner
    if sent and form.validate():
        try:
            with changing(event) as s:
                if sent == "add":
                    kind = AwardKind(add.kind.data)
                    actions.add_award(s, event, kind, add.name.data, add.place.data, actor(event), now())
                else:
                    one = next(one for one in found if one.key == winner.award.data)
                    award = _award(event, one.award.id)
                    actions.name_winner(
                        s, event, award, one.faction, winner.player.data, winner.reason.data, actor(event), now()
                    )
        except Refused as refused:
            show_at_field(form, refused)
        else:
            flash("Saved.", "success")
            return redirect(url_for("award_desk.manage", slug=slug))
    page = render_template(
        "desk/awards.html",
        found=found,
        run=prizes(found),
        add=add,
        winner=winner,
        kinds={kind.value: words for kind, words in KINDS.items()},
        rules=soft_rules(event),
        faction_word=faction_word(event),
        complete=completed_rounds(round_views(db(), event)) > 0,
    )
    return page, 422 if form.errors else 200


@blueprint.post("/e/<slug>/desk/awards/<verb>")
def press(slug: str, verb: str) -> ResponseReturnValue:
    """One press: the usual awards, publish, take back, the next on the projector, from the start."""
    event = managed_event(slug)
    if verb == "next":
        shown = id_sent("shown")
        with pressed(event) as s:
            actions.show_next(s, event, -1 if shown is None else shown, actor(event), now())
        return redirect(url_for("award_desk.manage", slug=slug, _anchor="run"))
    if verb not in PRESSES:
        abort(404)
    action, said = PRESSES[verb]
    with pressed(event, said) as s:
        action(s, event, actor(event), now())
    return redirect(url_for("award_desk.manage", slug=slug))


@blueprint.post("/e/<slug>/desk/awards/<int:award_id>/<verb>")
def change(slug: str, award_id: int, verb: str) -> ResponseReturnValue:
    """One press on one award: up, down, away; or a naming taken back."""
    event = managed_event(slug)
    award = _award(event, award_id)
    if verb not in ("up", "down", "remove", "unname"):
        abort(404)
    pick_id = id_sent("pick") if verb == "unname" else None
    pick = db().get(AwardPick, pick_id) if pick_id else None
    if verb == "unname" and (pick is None or pick.award_id != award.id):
        abort(404)
    with pressed(event) as s:
        if pick is not None:
            actions.unname_winner(s, event, award, pick, actor(event), now())
        elif verb == "remove":
            actions.remove_award(s, event, award, actor(event), now())
        else:
            actions.move_award(s, event, award, -1 if verb == "up" else 1, actor(event), now())
    return redirect(url_for("award_desk.manage", slug=slug, _anchor="awards"))


@blueprint.get("/e/<slug>/desk/awards/certificates.pdf")
def paper(slug: str) -> ResponseReturnValue:
    """Certificates: ``?for=awards`` of all, of one (by its key), or for ``everybody`` who took part."""
    event = managed_event(slug)
    shape, wanted = request.args.get("shape", "wide"), request.args.get("for", "awards")
    if shape not in ("wide", "upright"):
        abort(404)
    everybody = wanted == "everybody"
    found = [one for one in decided(db(), event) if wanted in ("awards", one.key)]
    pages = participation_pages(event, final_rows(db(), event)) if everybody else award_pages(event, found)
    if not pages:
        abort(404)
    name = "certificates-of-participation" if everybody else "certificates"
    return pdf_answer(event, name, lambda size: certificates(pages, size, printed_at(event), wide=shape == "wide"))


def _award(event: Event, award_id: int) -> Award:
    award = db().get(Award, award_id) if award_id <= LONGEST_ID else None
    if award is None or award.event_id != event.id:
        abort(404)
    return award
