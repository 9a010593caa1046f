"""Words that change before what a figure begins with: in French "de %(name)s" is "d’Ada" and "de Bea".

Catalogues write the full word before a figure, and it is changed when the figure is filled in.
"""

import re
from collections.abc import Mapping
from typing import TypeVar

Text = TypeVar("Text", bound=str)
_VOWEL = r"[aeiouàâäéèêëîïôöùûü]\w"  # not a side, which is one letter: "de A"
_NUMBER = r"(?:8|11)\b"  # they begin with vowels where they are read aloud
_MARKS = r"(?:<[^>]*>|[«“„\s])*"
_RULES = {
    "fr": {"de ": ("d’", _VOWEL), "que ": ("qu’", _VOWEL)},
    "es": {"y ": ("e ", "h?[ií](?![aeo])"), "o ": ("u ", f"h?[oó]|{_NUMBER}")},
    "it": {
        "il ": ("l’", _NUMBER), "al ": ("all’", _NUMBER), "dal ": ("dall’", _NUMBER), "del ": ("dell’", _NUMBER),
        "i ": ("gli ", _NUMBER), "dei ": ("degli ", _NUMBER),
    },
}  # fmt: skip
"""By language and word: the changed word, and what the figure after it begins with."""
_BEFORE = {
    code: re.compile(rf"\b({'|'.join(rules)})(?={_MARKS}%\((\w+)\)s)", re.IGNORECASE) for code, rules in _RULES.items()
}


def elided(code: str, said: Text, figures: Mapping[str, object]) -> Text:
    """The text with each word before a figure as the language has it there."""
    if code not in _RULES:
        return said

    def changed(match: re.Match[str]) -> str:
        word, begins = _RULES[code][match[1].lower()]
        fits = re.match(_MARKS + begins, str(figures.get(match[2], "")), re.IGNORECASE)
        return (word.capitalize() if match[1].istitle() else word) if fits else match[1]

    return type(said)(_BEFORE[code].sub(changed, said))
