"""Figures with their nouns: each counted text has the forms of its language, in Polish "1 tura", "2 tury", "5 tur"."""

import re

from babel.messages.catalog import Message

from tests.kit import sources

WORD = re.compile(r"[A-Za-z][A-Za-z’-]*")
VERBS = {"names", "wins"}
"""Of "Ada wins": counted as nouns, too."""
PRICED = {"Caps"}
"""Nothing costs 1 of these, and the word is the same in all languages."""
NO_ADJECTIVES = {
    "among", "and", "are", "between", "by", "changed", "choose", "chooses", "except", "for", "has", "holds", "hold",
    "in", "keeps", "left", "min", "of", "took", "with",
}  # fmt: skip
"""Words after which the noun no longer belongs to the figure before them."""
LIMIT = r"(?<=than )%\(most\)s"
"""Before the largest size of a file or a text: a constant of hundreds or more, so always in the form for many."""
EXCEPTIONS = {
    "%(minutes)s minutes a round; %(days)s days in a season or campaign": "the usual lengths, which have several",
    "%(n)s points": "decimals, for which gettext has no form: Polish has the genitive singular",
    "%(title)s: %(leader)s leads %(kinds)s grunts": "a kind, not a number",
    "%(bullets)s bullets of %(damage)s, a critical adds %(stat)s": "a burst has several",
    "At most %(most)s characters; one Big Gun for every %(per)s, carried by %(carriers)s.": "a dozen and more",
    "A team takes %(size)s places with its first player.": "a team has several; Polish has the figure in brackets",
    "no kind more than %(n)s times": "from three on, in words of their own once and twice",
    "<bdi>%(name)s</bdi> challenges you": "a verb",
    "The Leader %(model)s costs %(caps)s alone, and %(size)s are fielded": "a verb",
    "The leader %(character)s costs %(caps)s alone, and %(size)s are fielded": "a verb",
    "The report counts: the draw with %(own)s and %(other)s victory points, as both have %(least)s or more, and the "
    "objective of your roll before the game.": "as many as the campaign asks for or more",
    "The report counts: the draw with %(own)s and %(other)s victory points, as both have %(least)s or more, and the "
    "objective that the report names.": "as many as the campaign asks for or more",
    "%(name)s has fewer than the %(least)s points that a battle needs, and forfeits it: the desk records "
    "it.": "a muster",
    "%(player)s: the group has not mustered the %(least)s points that a battle needs. Did it forfeit? Then "
    "the desk records the forfeit.": "a muster is a hundred and more",
}
"""Texts whose figure may stand before a plural, each with its reason."""


def counted_nouns(texts: list[Message]) -> set[str]:
    """The nouns of which the code has one and several: "points", as of "1 point" and "2 points"."""
    nouns = set[str]()
    for name, many in (text.id for text in texts if not isinstance(text.id, str)):
        singular, plural = set(WORD.findall(name)), set(WORD.findall(many))
        ends = {f"{word}{end}" for word in singular - plural for end in ("s", "es")}
        nouns |= (plural - singular) & (ends | {f"{word[:-1]}ies" for word in singular if word.endswith("y")})
    return nouns - VERBS - PRICED


def test_figure_before_a_plural_noun_has_forms_for_one_and_several() -> None:
    """Else Polish reads "5 tury", and English "1 turns": use ``ngettext``, or a figure that is counted itself."""
    texts = [text for text in sources.texts() if text.id]
    nouns = counted_nouns(texts)
    assert nouns >= {"addresses", "entries", "points", "rounds"}
    figure_and_noun = re.compile(
        rf"(?!{LIMIT})%\(\w+\)s(?:</?[a-z][^>]*>)* ((?:[\w’-]+ ){{0,2}}?)(?:{'|'.join(sorted(nouns))})\b"
    )
    found = {
        text.id
        for text in texts
        if isinstance(text.id, str)
        and any(NO_ADJECTIVES.isdisjoint(between.split()) for between in figure_and_noun.findall(text.id))
    }
    assert found == set(EXCEPTIONS)
