"""Sums of money: stored as whole minor units of a currency, typed and shown in its major unit."""

import re
from decimal import Decimal

from babel.numbers import format_decimal

from languages.words import locale

CODES = (
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF "
    "CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG "
    "HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA "
    "MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD "
    "RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX "
    "USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG"
)
WITHOUT_MINOR_UNIT = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
OF_THOUSANDTHS = "BHD IQD JOD KWD LYD OMR TND"
CURRENCIES = {
    **dict.fromkeys(CODES.split(), 2),
    **dict.fromkeys(WITHOUT_MINOR_UNIT.split(), 0),
    **dict.fromkeys(OF_THOUSANDTHS.split(), 3),
}
"""The decimal digits of the minor unit by ISO 4217, for the currencies that people pay with."""
MOST = 1_000_000_000
"""Minor units."""


def sum_typed(text: str, currency: str) -> int:
    """A typed sum such as "12", "12.5" or "12,50", in minor units. Raises ValueError; a sum is more than nothing."""
    digits = CURRENCIES.get(currency, 2)
    match = re.fullmatch(r"([0-9]{1,10})(?:[.,]([0-9]{1,3}))?", text)
    if match is None or len(match[2] or "") > digits:
        raise ValueError
    amount = int(match[1] + (match[2] or "").ljust(digits, "0"))
    if not 0 < amount <= MOST:
        raise ValueError
    return amount


def fee_typed(text: str) -> tuple[int, str]:
    """A sum with its currency, such as "12.00 EUR". Raises ValueError."""
    amount, _, currency = text.upper().rpartition(" ")
    if currency not in CURRENCIES:
        raise ValueError
    return sum_typed(amount.strip(), currency), currency


def as_typed(amount: int | None, currency: str) -> str:
    """A sum as ``sum_typed`` reads it; "" for none."""
    return "" if amount is None else str(_major(amount, currency))


def sum_words(amount: int, currency: str) -> str:
    """A sum with its currency, as the reader's language writes figures."""
    return f"{figures(amount, currency)}\u00a0{currency}"


def figures(amount: int, currency: str) -> str:
    digits = CURRENCIES.get(currency, 2)
    return format_decimal(_major(amount, currency), f"#,##0.{'0' * digits}".rstrip("."), locale())


def _major(amount: int, currency: str) -> Decimal:
    return Decimal(amount).scaleb(-CURRENCIES.get(currency, 2))
