"""Sums of money: minor units by currency, as typed and as shown."""

import pytest

from languages.money import CURRENCIES, as_typed, fee_typed, sum_typed, sum_words
from languages.words import speaking

pytestmark = pytest.mark.fast


@pytest.mark.parametrize(
    ("typed", "amount", "currency", "shown"),
    [
        ("12 EUR", 1200, "EUR", "12.00"), ("12,5 eur", 1250, "EUR", "12.50"), ("0.01 GBP", 1, "GBP", "0.01"),
        ("12,50 €", 1250, "EUR", "12.50"), ("€ 12.50 (members 8)", 1250, "EUR", "12.50"),
        ("12EUR", 1200, "EUR", "12.00"), ("12,- €", 1200, "EUR", "12.00"), ("12,\u2013 €", 1200, "EUR", "12.00"),
        ("CHF 5.-", 500, "CHF", "5.00"),
        ("12 €.", 1200, "EUR", "12.00"), ("12 euros", 1200, "EUR", "12.00"), ("10 €, 5 € later", 1000, "EUR", "10.00"),
        ("1.250,00 €", 125000, "EUR", "1250.00"), ("EUR 1,250.5", 125050, "EUR", "1250.50"),
        ("1 500 JPY", 1500, "JPY", "1500"), ("1\u202f234,50 zł", 123450, "PLN", "1234.50"),
        ("1500 JPY", 1500, "JPY", "1500"), ("1.250 KWD", 1250, "KWD", "1.250"), ("7.3 TND", 7300, "TND", "7.300"),
    ],
)  # fmt: skip
def test_sum_is_kept_in_the_minor_unit_of_its_currency(typed: str, amount: int, currency: str, shown: str) -> None:
    assert fee_typed(typed) == (typed, amount, currency)
    assert as_typed(amount, currency) == shown
    assert sum_typed(shown, currency) == amount, "shown as it can be typed again"


@pytest.mark.parametrize(
    "typed",
    ["12", "12 $", "about 12 EUR", "12 XXX", "-3 EUR", "0 EUR", "0.00 EUR", "1.005 EUR", "12.5 JPY", "1,000 JPY",
     "1e3 EUR", "\u0661\u0662 EUR", "99999999999 EUR", "12.EUR", ".5 EUR", "10000001 EUR", "12 EURx", "1 50 EUR",
     "EUR 12 EUR", "12 at the door", "1 500XYZ", "10 € 50", "8 € / 12 €", "10 EUR 20 USD", "10 € - 12 €",
     "10 € \u2013 12 €", "8-12 €", "1.250 €", "1.250.00 €", "12 €.50", "12,5,- €x"],
)  # fmt: skip
def test_no_sum(typed: str) -> None:
    with pytest.raises(ValueError, match=r"^$"):
        fee_typed(typed)


def test_fee_in_words_has_no_amount_and_a_number_alone_the_usual_currency() -> None:
    assert fee_typed("a tin of beans", "EUR") == ("a tin of beans", None, "EUR")
    assert [fee_typed("12,5", usual) for usual in ("EUR", "PLN")] == [
        ("12,5 EUR", 1250, "EUR"), ("12,5 PLN", 1250, "PLN"),
    ]  # fmt: skip
    with pytest.raises(ValueError, match=r"^$"):
        fee_typed("12 at the door", "EUR")


def test_sum_is_shown_as_the_language_writes_figures() -> None:
    assert sum_words(123456, "EUR") == "1,234.56\u00a0EUR"
    assert sum_words(1500, "JPY") == "1,500\u00a0JPY"
    with speaking("de"):
        assert sum_words(123456, "EUR") == "1.234,56\u00a0EUR"


def test_minor_units_are_those_of_iso_4217() -> None:
    assert len(CURRENCIES) > 140 and set(CURRENCIES.values()) == {0, 2, 3}
    assert [CURRENCIES[code] for code in ("JPY", "KRW", "ISK", "EUR", "HUF", "RSD", "BHD")] == [0, 0, 0, 2, 2, 2, 3]
