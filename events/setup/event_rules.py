"""The event's rules in words, for its page and its pack."""

from collections.abc import Sequence

from events.lists.locks import due_words, reveal_words
from events.standings.titles import ranked_words
from events.store.editions import system_of
from events.store.rounds import first_stage
from events.store.scoring import in_shares, knows_vp, scale_words
from events.store.team_queries import is_team_event
from events.tournament.endings import ConcededVp, NotPlayed
from events.tournament.points_table import PointsTable, table_in_words
from events.tournament.soft_rules import Counts, Sports
from languages.words import N_, capital, gettext, listed, ngettext, pgettext
from models.event import Event
from models.settings import AskedBye, BoardsMatched, ReportDetail
from validators.contract import Terms
from validators.scenario import Limit, Scenario


def event_rules(event: Event, terms: Terms) -> list[tuple[str, str]]:
    """The event's own rules, for its page and its pack: headings, each with a sentence."""
    system = system_of(event)
    force = system.words.force
    rules = [
        (pgettext("which game", "Game"), f"{system.name}."),
        (capital(force), force_words(event, terms)),
        (gettext("List"), f"{due_words(event)}{_late(event)} {reveal_words(event)}"),
        (gettext("Rounds") if first_stage(event).has_rounds else gettext("Challenges"), " ".join(day_words(event))),
        *_counting(event),
    ]
    if event.report_detail != ReportDetail.FULL:
        rules.append((gettext("Reports"), gettext(REPORTS[event.report_detail])))
    if is_team_event(event):
        rules.append((gettext("Teams"), _teams(event)))
    if event.doubles:
        rules.append(
            (gettext("Doubles"), gettext("Two players share one place, one side and one %(force)s.", force=force))
        )
    if event.painting_points:
        more = ngettext(
            "%(num)s tournament point more for a fully painted %(force)s.",
            "%(num)s tournament points more for a fully painted %(force)s.",
            event.painting_points,
            force=force,
        )
        rules.append((gettext("Painting"), more))
    if event.fee:
        rules.append((gettext("Entry fee"), event.fee))
    return rules + _soft(event)


def _counting(event: Event) -> list[tuple[str, str]]:
    """What games count: places in a knockout from the start, else points."""
    if first_stage(event).counts == "places":
        places = ranked_words(event)
        drawn = gettext("A knockout has no draws: the organiser decides who wins the game.")
        early = gettext(
            "A player who concedes is out. When time is called, a game is scored as it stands. If nobody played a game,"
            " the organiser decides who goes through, or that nobody does."
        )
        return [(gettext("Bracket"), f"{places} {drawn}"), (gettext("Ended early"), early)]
    scale = scale_words(event)
    vp = [(gettext("VP"), scale)] if scale else []
    ended = (gettext("Ended early"), _endings(event))
    if first_stage(event).by_ladder:
        return [(gettext("Standings"), ranked_words(event)), ended]
    return [(gettext("Points"), points_words(event)), *vp, ended]


def _teams(event: Event) -> str:
    if event.boards == BoardsMatched.ORDER:
        sentence = N_("Teams of %(size)s are paired, and their boards matched in their teams’ own order.")
    else:
        sentence = N_("Teams of %(size)s are paired, and their boards matched as both captains choose in secret.")
    won = gettext(
        "The team with more tournament points on its boards wins the match, which counts like a game for the team. "
        "A board left empty is lost by walk-over."
    )
    places = gettext("A team takes %(size)s places with its first player.", size=event.team_size)
    return " ".join((gettext(sentence, size=event.team_size), won, places if event.places else "")).rstrip()


def _late(event: Event) -> str:
    if not event.late_list_hours:
        return ""
    return " " + ngettext(
        "Players who join later have %(num)s hour, at most until the next round.",
        "Players who join later have %(num)s hours, at most until the next round.",
        event.late_list_hours,
    )


def force_words(event: Event, terms: Terms) -> str:
    """What a force may be at this event, in a sentence."""
    system, edition = system_of(event), terms.edition
    figures = {"size": event.size, "unit": system.unit, "edition": edition.name, "more": system.checks.allows(terms)}
    if figures["more"]:
        sentence = gettext("Up to %(size)s %(unit)s, with at most %(more)s, by the lists “%(edition)s”", **figures)
    else:
        sentence = gettext("Up to %(size)s %(unit)s, by the lists “%(edition)s”", **figures)
    partial = gettext(", a part of the printed lists") if edition.partial else ""
    return f"{sentence}{partial}. {gettext(edition.caution)}".rstrip()


REPORTS = {
    ReportDetail.FULL: N_("Players report every figure of the scenario."),
    ReportDetail.TOTALS: N_("Players report both totals of VP, not every game round."),
    ReportDetail.OUTCOME: N_("Players report a win, a draw or a loss. VP are not reported and do not count."),
}


def points_words(event: Event) -> str:
    """The tournament points of games and byes, in sentences."""
    table = event.points_table
    if table is None:
        scores = ngettext(
            "%(num)s tournament point for a win, %(draw)s for a draw, %(loss)s for a loss.",
            "%(num)s tournament points for a win, %(draw)s for a draw, %(loss)s for a loss.",
            event.points_win,
            draw=event.points_draw,
            loss=event.points_loss,
        )
        return " ".join(filter(None, (scores, *_byes(event, None), _missed(event))))
    words = (
        gettext("The table is for boards.") if is_team_event(event) else "",
        str(table_in_words(table)),
        gettext("The differences are of shares in percent.") if in_shares(event) else "",
        *_byes(event, table),
        gettext("A winner who is not ahead in VP gets the points of the closest win."),
        _missed(event),
    )
    return " ".join(filter(None, words))


def _missed(event: Event) -> str:
    """What a late player has for each round before the first one; "" for nothing."""
    text = N_("%(late_points)s for each round missed by arriving late")
    return gettext(text, late_points=event.late_points) + "." if event.late_points else ""


def _byes(event: Event, table: PointsTable | None) -> list[str]:
    """What byes and wins by no-show count, in sentences; by this points table, if the event has one."""
    vp, asked = _bye_vp(event), gettext(ASKED_BYE[event.asked_bye])
    if first_stage(event).byes_score:
        text = N_(
            "A bye and a win by no-show count %(points)s%(vp)s, a bye that you asked for %(asked)s; "
            "a no-show counts nothing."
        )
        if table is None:
            text = N_("A bye counts as a win%(vp)s, a bye that you asked for %(asked)s.")
        return [gettext(text, points=table.bye if table else 0, vp=vp, asked=asked)]
    nothing = "" if event.by_challenge else gettext("A bye scores nothing.")
    if table is None:
        return [nothing, gettext("A win by no-show counts as a win%(vp)s.", vp=vp)]
    return [
        nothing, gettext("A win by no-show counts %(points)s%(vp)s; a no-show counts nothing.", points=table.bye, vp=vp)
    ]  # fmt: skip


ASKED_BYE = {AskedBye.WIN: N_("as a win"), AskedBye.DRAW: N_("as a draw"), AskedBye.LOSS: N_("as a loss")}


def _bye_vp(event: Event) -> str:
    """What a bye scores in addition to the win: " with 5 VP"."""
    if not knows_vp(event) or is_team_event(event):
        return ""
    if event.bye_vp is not None:
        if in_shares(event):
            return " " + gettext("with %(share)s percent of the VP", share=event.bye_vp)
        return " " + gettext("with %(vp)s VP", vp=event.bye_vp)
    if in_shares(event):
        mean = N_("with the mean share of VP of the winners so far")
        of_scenario = N_("with the mean share of VP of the winners so far in the scenarios of the round")
    else:
        mean = N_("with the mean VP of the winners so far")
        of_scenario = N_("with the mean VP of the winners so far in the scenarios of the round")
    return " " + gettext(mean if system_of(event).scoring.one_scale else of_scenario)


def _soft(event: Event) -> list[tuple[str, str]]:
    """How painting and sportsmanship are judged and counted; empty if neither is judged."""
    rules, sections = event.soft_rules, []
    where = {
        Counts.POINTS: gettext("It counts in tournament points."),
        Counts.TIE_BREAK: gettext("It counts as a tie-break, in the order listed."),
        Counts.OVERALL: gettext("It counts in the overall score for awards."),
        Counts.NOTHING: gettext("It counts only for its own award."),
    }
    by_sports = {
        Sports.FAVOURITE: gettext("Every player names a favourite opponent, in secret."),
        Sports.THUMBS: gettext("After each game players give their opponent a thumb up or down, in secret."),
        Sports.SCALE: gettext("After each game players give their opponent a mark from 1 to 5, in secret."),
    }
    counts = effective_use(event.tie_breaks, "painting", rules.painting_counts)
    if rules.by_vote or counts != Counts.NOTHING:
        judged = N_("Players vote for the best painted force.") if rules.by_vote else N_("Judged by the staff.")
        sections.append((gettext("Painting judged"), f"{gettext(judged)} {where[counts]}"))
    if rules.sports in by_sports:
        counts = effective_use(event.tie_breaks, "sportsmanship", rules.sports_counts)
        sections.append((gettext("Sportsmanship"), f"{by_sports[rules.sports]} {where[counts]}"))
    return sections


def effective_use(tie_breaks: Sequence[str], name: str, chosen: Counts) -> Counts:
    """Where a soft score counts: as the tie-break ``name`` only if the tie-breaks have it."""
    return Counts.NOTHING if chosen == Counts.TIE_BREAK and name not in tie_breaks else chosen


def _endings(event: Event) -> str:
    """The scoring of games that ended early or were not played."""
    if not knows_vp(event):
        conceded = gettext("Conceding counts as a loss.")
        return f"{conceded} {gettext(NOT_PLAYED[event.not_played])}"
    if event.conceded_vp == ConcededVp.BYE:
        widest = N_("Conceding counts as the widest loss; the opponent scores at least as many VP as for a bye")
        loss = N_("Conceding counts as a loss; the opponent scores at least as many VP as for a bye")
        if not first_stage(event).byes_score:
            widest = N_(
                "Conceding counts as the widest loss; the opponent scores at least as many VP as for a win by no-show"
            )
            loss = N_("Conceding counts as a loss; the opponent scores at least as many VP as for a win by no-show")
    else:
        widest = N_("Conceding counts as the widest loss; the opponent scores the VP scored so far")
        loss = N_("Conceding counts as a loss; the opponent scores the VP scored so far")
    conceded = gettext(widest if event.points_table else loss)
    shares = ""
    if in_shares(event):
        shares = gettext(
            ", and both shares add up to at most 100: if the winner has 70, the conceding player has at most 30"
        )
    called = gettext("When time is called, a game is scored as it stands.")
    vp = N_("A game that neither player played counts as a draw without VP.")
    left = vp if event.not_played == NotPlayed.DRAW else NOT_PLAYED[event.not_played]
    return f"{conceded}{shares}. {called} {gettext(left)}"


NOT_PLAYED = {
    NotPlayed.DRAW: N_("A game that neither player played counts as a draw."),
    NotPlayed.NOTHING: N_("A game that neither player played counts for nothing."),
}


def _rounds(event: Event) -> str:
    """The number of rounds, the pairing method, and the knockout after them."""
    after = [gettext("Then the top %(cut)s by the standings play a knockout.", cut=event.cut)] if event.cut else []
    if event.third_place and ((event.cut or 0) > 2 or first_stage(event).one_wins):
        after.append(gettext("The losers of the semi-finals play for third place."))
    season = event.season
    if first_stage(event).one_wins:
        return " ".join([_knockout(event), *after[bool(event.cut) :]])
    if season and season.by_challenge:
        if season.kind == "ladder":
            whom = ngettext(
                "A player challenges a player at most %(num)s place above, and takes their place by winning.",
                "A player challenges a player at most %(num)s places above, and takes their place by winning.",
                season.above,
            )
        else:
            whom = gettext("A player challenges any other player.")
        answered = ngettext(
            "A challenge is answered within %(num)s day.",
            "A challenge is answered within %(num)s days.",
            season.answer_days,
        )
        played = ngettext("It is played within %(num)s day.", "It is played within %(num)s days.", season.days)
        return " ".join([whom, answered, played, *after])
    return " ".join([_meetings(event), *after])


def _length(event: Event) -> str:
    if season := event.season:
        return ngettext("%(num)s day", "%(num)s days", season.days)
    return ngettext("%(num)s minute", "%(num)s minutes", event.round_minutes)


def _knockout(event: Event) -> str:
    return gettext("A knockout in rounds of %(length)s: losers are out.", length=_length(event))


def _meetings(event: Event) -> str:
    """The rounds of an event in which nobody is out, and who meets."""
    length = _length(event)
    if first_stage(event).crossed:
        once = N_("Rounds of %(length)s, in which everybody meets everybody once.")
        twice = N_("Rounds of %(length)s, in which everybody meets everybody twice.")
        return gettext(once if event.legs == 1 else twice, length=length)
    return gettext(
        "%(rounds)s of %(length)s: players on equal points meet, and nobody meets an opponent twice if it can be "
        "avoided (Swiss).",
        rounds=ngettext("%(num)s round", "%(num)s rounds", event.rounds),
        length=length,
    )


def day_words(event: Event) -> list[str]:
    """The breaks between rounds and the clock's calls, in sentences."""
    if event.season is not None:
        season = event.season
        arranging = gettext("Players arrange their own games. A result counts as soon as it is confirmed.")
        sentences = [_rounds(event), arranging]
        if season and season.best:
            sentences.append(
                ngettext(
                    "The best %(best)s result of each player counts.",
                    "The best %(best)s results of each player count.",
                    season.best,
                    best=season.best,
                )
            )
        return sentences
    rules = event.clock_rules
    pause = ngettext(
        "The break between rounds is %(num)s minute.",
        "The break between rounds is %(num)s minutes.",
        rules.break_minutes,
    )
    sentences = [_rounds(event), pause]
    if rules.calls:
        calls = listed([str(call) for call in rules.calls])
        sentences.append(gettext("Time is announced when this many minutes are left: %(calls)s.", calls=calls))
    if rules.last_game_round:
        last = ngettext(
            "No game round or turn begins in the last %(num)s minute.",
            "No game round or turn begins in the last %(num)s minutes.",
            rules.last_game_round,
        )
        sentences.append(last)
    return sentences


def scenario_limits(scenario: Scenario) -> list[str]:
    """What binds a scenario's figures, next to the most of one player, and what is chosen or drawn, in sentences."""
    limits = scenario.limits
    lines = [
        _above(limits.together_refused, N_("Both players together cannot score more than %(vp)s VP in a game round")),
        _above(
            limits.together_asked,
            N_("Call a judge if both players together score more than %(vp)s VP in a game round"),
        ),
        _above(limits.one_asked, N_("Call a judge if one player scores more than %(vp)s VP in a game round")),
    ]
    if limits.held_by_one:
        lines.append(gettext("Only one player can hold %(what)s in a game round.", what=gettext(limits.held_by_one)))
    if scenario.choices:
        choices = listed([gettext(choice) for choice in scenario.choices], style="or")
        lines.append(gettext("At the start of the game each player chooses: %(choices)s.", choices=choices))
    if scenario.roles:
        roles = listed([role.said for role in scenario.roles], style="or")
        lines.append(gettext("Your role is drawn with the round: %(roles)s.", roles=roles))
    if scenario.objective_kinds:
        kinds = f"{', '.join(scenario.objective_kinds)}; {gettext(scenario.objective_note)}"
        count = scenario.objectives
        lines.append(gettext("Objective markers, %(count)s of each player: %(kinds)s.", count=count, kinds=kinds))
    return list(filter(None, lines))


def _above(limit: Limit | None, what: str) -> str:
    if limit is None:
        return ""
    return gettext(what, vp=limit.above) + (f": {gettext(limit.why)}" if limit.why else "") + "."
