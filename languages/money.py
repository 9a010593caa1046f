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
SIGNS = {
    "€": "EUR", "EURO": "EUR", "EUROS": "EUR", "£": "GBP", "ZŁ": "PLN", "KČ": "CZK", "₴": "UAH", "₺": "TRY", "₹": "INR",
}  # fmt: skip
"""How people write a currency, besides its code; not signs of several, such as $."""
CODE = "|".join(map(re.escape, (*SIGNS, *CURRENCIES)))
REMARK = r"(?:(?![.,]\d|\s[\s/|+\u2013-]*\d)[\s.,;:(].*)?"
FEE = re.compile(
    rf"(?:({CODE})\s*)?((?>\d+(?:[\s.,]\d+)*))(?:[.,][-\u2013]+)?(?:\s*({CODE})(?!\w))?+({REMARK})", re.IGNORECASE
)
"""A currency before or after a sum, and what follows, which begins with no second figure."""


def without_currency(text: str, currency: str) -> str:
    """A typed sum without the currency that it is in."""
    own = "|".join(
        sorted((re.escape(sign) for sign in (currency, *SIGNS) if SIGNS.get(sign, sign) == currency), reverse=True)
    )
    return re.sub(rf"^(?:{own})\s*|\s*(?:{own})$", "", text, flags=re.IGNORECASE)


def sum_typed(text: str, currency: str) -> int:
    """A typed sum such as "12", "12,50" or "1 500", in minor units. Raises ValueError; a sum is more than nothing."""
    digits = CURRENCIES.get(currency, 2)
    text = re.sub(r"(?<=[0-9])\s(?=[0-9]{3}(?![0-9]))", "", text)
    text = re.sub(r"^([0-9]{1,3})([.,])([0-9]{3})(?!\2)(?=[.,])", r"\1\3", text)
    match = re.fullmatch(r"([0-9]{1,10})(?:[.,]([0-9]{1,3}))?", text)
    if match is None or len(match[2] or "") > digits:
        raise ValueError
    amount = int(match[1] + (match[2] or "").ljust(digits, "0"))
    if not 0 < amount <= MOST:
        raise ValueError
    return amount


def fee_typed(text: str, usual: str = "") -> tuple[str, int | None, str]:
    """A fee such as "12,50 € (members 8 €)": its words, its minor units, and its currency. Raises ValueError.

    A number alone is in the ``usual`` currency. Words without a figure have no amount.
    """
    match = FEE.fullmatch(text)
    if match is None and re.search(r"\d", text) is None:
        return text, None, usual
    before, figure, after, remark = match.groups() if match else (None, "", None, "")
    code = (before or after or ("" if remark else usual)).upper()
    currency = SIGNS.get(code, code)
    if currency not in CURRENCIES or (before and after):
        raise ValueError
    amount = sum_typed(figure, currency)
    return text if before or after else f"{text} {currency}", amount, currency


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
