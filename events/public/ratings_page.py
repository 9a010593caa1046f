"""The ranking, calculated again whenever an event of it or its people change, and what pages show of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from flask import current_app
from markupsafe import Markup

from events.charts.drawing import Chart
from events.charts.ratings import Step, interval_mark, rating_chart
from events.public.rating_queries import (
    EventGames,
    event_games,
    events_of_ranking,
    people_in_ranking,
    rated_games,
)
from events.store.editions import systems_of
from events.tournament.rating import Rating, ratings_after
from events.web.page_cache import PageCache, kept_in_public
from events.web.request import db
from models.event import Event
from models.person import Person
from service.settings import Settings
from validators.game_system import GameSystem
from validators.names import alphabetical

MOST_LIE_IN = 1000, 2000


@dataclass(frozen=True)
class Ratings:
    """The ratings of people by their ids."""

    people: Mapping[int, Rating]

    @property
    def cache_bytes(self) -> int:
        return 100 + sum(200 + 150 * len(person.line) for person in self.people.values())


@dataclass(frozen=True)
class Ranked:
    rank: int | None
    """None: the rating is provisional."""
    person: Person
    rating: Rating


@dataclass(frozen=True)
class OwnRating:
    game: GameSystem
    rating: Rating
    rank: int | None
    mark: Markup
    """Its interval as a small picture, on a scale that most ratings lie on."""
    line: Chart | None


def has_ratings() -> bool:
    """Whether the club has a ranking (OVERSEER_RATINGS)."""
    settings: Settings = current_app.extensions["overseer_settings"]
    return settings.ratings


def rankings() -> dict[str, tuple[list[Ranked], list[Event]]]:
    """By game, the one with the most events first: the ranking, provisional ratings last, and its events."""
    entries = people_in_ranking(db())
    events = events_of_ranking(db(), entries)
    games = sorted({event.system for event in events}, key=lambda game: -sum(event.system == game for event in events))
    people = {person.id: person for _, person in entries.values()}
    ranked = {}
    for game in games:
        of_game = [event for event in events if event.system == game]
        ratings = _ratings(game, of_game, entries)
        if ratings.people:
            ranked[game] = by_rating([(people[id_], rating) for id_, rating in ratings.people.items()]), of_game
    return ranked


def _ratings(game: str, events: Sequence[Event], entries: Mapping[int, tuple[int, Person]]) -> Ratings:
    """The ratings in one game, kept for the states of its events and for who is in the ranking with which entries."""
    cache: PageCache = current_app.extensions["overseer_page_cache"]
    of_people = [(player, person.id) for player, (_, person) in entries.items()]
    state = repr(([event.public_stamp for event in events], of_people))

    def games_of(event: Event) -> EventGames:
        return kept_in_public(event, "rated games", lambda: event_games(db(), event))

    def calculated() -> Ratings:
        after = ratings_after(rated_games(games_of(event).games, entries) for event in events)
        return Ratings({id_: rating for (kind, id_), rating in after.items() if kind == "person"})

    return cache.get(0, f"ranking {game}", sha256(state.encode()).hexdigest(), calculated)


def by_rating(ratings: Iterable[tuple[Person, Rating]]) -> list[Ranked]:
    """These ratings in order, equal ones with one rank, then the provisional ones without."""
    order = sorted(ratings, key=lambda row: (-round(row[1].value), alphabetical(row[0].public_name), row[0].id))
    settled = [round(rating.value) for _, rating in order if not rating.provisional]
    rows = [
        Ranked(settled.index(round(rating.value)) + 1, who, rating) for who, rating in order if not rating.provisional
    ]
    return rows + [Ranked(None, who, rating) for who, rating in order if rating.provisional]


def ratings_of(person: Person) -> list[OwnRating]:
    """The person's ratings by game; none if they are not in the ranking, or the club has none."""
    ratings, systems = [], systems_of(db())
    for game, (rows, events) in rankings().items() if has_ratings() and person.rated_since else ():
        ranking = next((ranked for ranked in rows if ranked.person.id == person.id), None)
        if ranking is not None:
            after = [(events[number].name, Rating(value, unsure)) for number, value, unsure in ranking.rating.line]
            steps = [Step(name, rating.value, rating.low, rating.high) for name, rating in after]
            line = rating_chart(f"rating-{game.replace('_', '-')}", steps)
            value, low, high = ranking.rating.value, ranking.rating.low, ranking.rating.high
            mark = interval_mark(value, low, high, (min(low, MOST_LIE_IN[0]), max(high, MOST_LIE_IN[1])))
            ratings.append(OwnRating(systems[game], ranking.rating, ranking.rank, mark, line))
    return ratings
