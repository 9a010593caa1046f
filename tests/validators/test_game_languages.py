"""What a game says of a force is in the reader's language; a cached verdict too."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from events.store.verdicts import cached_verdict
from languages.words import speaking
from tests.kit.pseudo import CODE, offer_pseudo
from validators import SYSTEMS
from validators.battle_mode import force as battle_mode
from validators.contract import Document, Terms
from validators.fallout_skirmish import force as fallout_skirmish
from validators.game_system import GameSystem
from validators.new_vegas import force as new_vegas
from validators.skill_combat import force as skill_combat


@pytest.mark.parametrize("game", SYSTEMS.values(), ids=SYSTEMS)
def test_verdict_is_in_the_readers_language(monkeypatch: pytest.MonkeyPatch, game: GameSystem) -> None:
    offer_pseudo(monkeypatch)
    edition = game.editions[0]
    document = game.forces.sample(Terms(edition, game.default_size), edition.factions[0], 1)
    english = cached_verdict(game, document, Terms(edition, 10))
    with speaking(CODE):
        verdict = cached_verdict(game, document, Terms(edition, 10))
        assert verdict.problems, game.id
        for problem in (*verdict.problems, *verdict.queries):
            assert problem.message.startswith("⟦"), problem.message
            assert not problem.fix or problem.fix.startswith("⟦"), problem.fix
        assert game.words.a_force.startswith("⟦"), game.words.a_force
        assert all(rule.text.startswith("⟦") for rule in game.checks.rules), game.id
    again = cached_verdict(game, document, Terms(edition, 10))
    assert again == english, "programs read English"
    assert "⟦" not in repr(again), game.id


TWO_OF_A_NAME: dict[str, tuple[str, Callable[[Document, Terms], Iterable[Any]]]] = {
    "battle_mode": ("models", lambda force, terms: battle_mode.priced(force, terms).models),
    "fallout_skirmish": ("models", lambda force, terms: fallout_skirmish.priced(force, terms).characters),
    "new_vegas": ("squads", lambda force, terms: new_vegas.mustered(force, terms).squads),
    "skill_combat": ("models", lambda force, terms: skill_combat.side_of(force, terms).characters),
}
"""By game, the list in a force and what is made of it."""


@pytest.mark.parametrize("game", TWO_OF_A_NAME)
def test_two_of_one_name_are_told_apart_in_the_readers_language(monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    offer_pseudo(monkeypatch)
    system, (part, made) = SYSTEMS[game], TWO_OF_A_NAME[game]
    terms = Terms(system.editions[0], system.default_size)
    force = system.forces.sample(terms, terms.edition.factions[0], 1)
    twins = force | {part: 2 * force[part][:1]}
    with speaking(CODE):
        labels = [one.label for one in made(twins, terms)]
    assert len({*labels}) == 2 and all(label.startswith("⟦") for label in labels), labels


@pytest.mark.parametrize("game", SYSTEMS.values(), ids=SYSTEMS)
def test_fix_has_one_key_in_all_languages(game: GameSystem) -> None:
    """A page in one language may be open while the reader chooses another."""
    edition = game.editions[0]
    document = game.forces.sample(Terms(edition, game.default_size), edition.factions[0], 1)
    less = Terms(edition, cached_verdict(game, document, Terms(edition, game.default_size)).total - 1)
    english = game.forces.fixes(document, less)
    with speaking("de"):
        german = game.forces.fixes(document, less)
    assert {fix.changes for fix in english}.isdisjoint(fix.changes for fix in german), game.id
    assert [fix.key for fix in english] == [fix.key for fix in german] != [], game.id


@pytest.mark.parametrize("game", SYSTEMS.values(), ids=SYSTEMS)
def test_questions_and_doubts_of_a_report_are_in_the_readers_language(
    monkeypatch: pytest.MonkeyPatch, game: GameSystem
) -> None:
    offer_pseudo(monkeypatch)
    with speaking(CODE):
        doubts = 0
        for scenario in game.scenarios:
            assert not scenario.round_note or scenario.round_note.startswith("⟦"), scenario.round_note
            for question in scenario.questions:
                assert ": " in question.said or question.said.startswith("⟦"), question.said
            for worst in (0, 1):
                answers = {q.key: (q.choices[-1] if q.choices else q.most + 1 - worst) for q in scenario.questions}
                for found in (answers, dict.fromkeys(answers, 0) if worst else {}):
                    for doubt in game.scoring.check(scenario, found):
                        assert "⟦" in doubt.text, doubt.text
                        doubts += 1
        assert doubts > 3, game.id
