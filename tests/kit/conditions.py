"""Conditions by rule id, for the independent checkers."""

from collections.abc import Mapping
from typing import Any


def true_of(conditions: Mapping[str, Any]) -> set[str]:
    return {id_ for id_, condition in conditions.items() if condition}
