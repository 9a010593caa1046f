"""Sums of money: minor units by currency, as typed and as shown."""

import pytest

from languages.money import CURRENCIES, as_typed, fee_typed, sum_typed, sum_words
from languages.words import speaking

pytestmark = pytest.mark.fast


@pytest.mark.parametrize(
    ("typed", "amount", "currency", "shown"),
    [
        ("12 EUR", 1200, "EUR", "12.00"), ("12,5 eur", 1250, "EUR", "12.50"), ("0.01 GBP", 1, "GBP", "0.01"),
        ("1500 JPY", 1500, "JPY", "1500"), ("1.250 KWD", 1250, "KWD", "1.250"), ("7.3 TND", 7300, "TND", "7.300"),
    ],
)  # fmt: skip
def test_sum_is_kept_in_the_minor_unit_of_its_currency(typed: str, amount: int, currency: str, shown: str) -> None:
    assert fee_typed(typed) == (amount, currency)
    assert as_typed(amount, currency) == shown
    assert sum_typed(shown, currency) == amount, "shown as it can be typed again"


@pytest.mark.parametrize(
    "typed",
    ["", "12", "EUR", "12 €", "12 EURO", "12 XXX", "-3 EUR", "0 EUR", "0.00 EUR", "1.005 EUR", "12.5 JPY", "1,000 JPY",
     "1e3 EUR", "\u0661\u0662 EUR", "99999999999 EUR", "12EUR", "12.EUR", ".5 EUR", "10000001 EUR", "12 EUR x"],
)  # fmt: skip
def test_no_sum(typed: str) -> None:
    with pytest.raises(ValueError, match=r"^$"):
        fee_typed(typed)


def test_sum_is_shown_as_the_language_writes_figures() -> None:
    assert sum_words(123456, "EUR") == "1,234.56\u00a0EUR"
    assert sum_words(1500, "JPY") == "1,500\u00a0JPY"
    with speaking("de"):
        assert sum_words(123456, "EUR") == "1.234,56\u00a0EUR"


def test_minor_units_are_those_of_iso_4217() -> None:
    assert len(CURRENCIES) > 140 and set(CURRENCIES.values()) == {0, 2, 3}
    assert [CURRENCIES[code] for code in ("JPY", "KRW", "ISK", "EUR", "HUF", "RSD", "BHD")] == [0, 0, 0, 2, 2, 2, 3]
