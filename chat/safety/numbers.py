"""Numbers that identify somebody, and their check digits."""

from __future__ import annotations

import re

from zol.text import fold

_NOT_DIGITS = re.compile(r"\D+")
_NATIONAL_FORM = re.compile(r"\d{2}\.\d{2}\.\d{2}[- ]\d{3}[.-]\d{2}$")
#: Length of a Belgian national register number, and the modulus of its check digits.
NATIONAL_LENGTH, NATIONAL_MODULUS = 11, 97
#: Put before the number of somebody born in 2000 or later.
NEW_CENTURY = 2_000_000_000
MONTHS_WITH_BIS = 52
IBAN_MODULUS = 97
CARD_LENGTHS = range(13, 20)
PHONE_LENGTHS = range(9, 15)


def digits(text: str) -> str:
    """Return the digits of a text, a Belgian country code as 0."""
    bare = _NOT_DIGITS.sub("", text.replace("(0)", ""))
    for prefix in ("0032", "32"):
        if bare.startswith(prefix) and text.lstrip().startswith(("+", "00")):
            return "0" + bare.removeprefix(prefix)
    return bare


def is_national_number(text: str) -> bool:
    """Tell whether the check digits of a Belgian national register number are right."""
    number = _NOT_DIGITS.sub("", text)
    if len(number) != NATIONAL_LENGTH or int(number[2:4]) > MONTHS_WITH_BIS:
        return False
    base, check = int(number[:9]), int(number[9:])
    return check in (
        NATIONAL_MODULUS - base % NATIONAL_MODULUS,
        NATIONAL_MODULUS - (NEW_CENTURY + base) % NATIONAL_MODULUS,
    )


def may_be_national_number(text: str) -> bool:
    """Tell whether somebody meant such a number: right, or written as only these are."""
    return is_national_number(text) or bool(_NATIONAL_FORM.match(text))


def is_iban(text: str) -> bool:
    """Tell whether the check digits of an IBAN are right (ISO 13616: modulo 97 is 1)."""
    number = re.sub(r"[ .-]", "", text).upper()
    turned = number[4:] + number[:4]
    return int("".join(str(int(letter, 36)) for letter in turned)) % IBAN_MODULUS == 1


def is_card(text: str) -> bool:
    """Tell whether the check digit of a payment card is right (Luhn)."""
    number = [int(digit) for digit in _NOT_DIGITS.sub("", text)]
    if len(number) not in CARD_LENGTHS:
        return False
    doubled = [sum(divmod(2 * digit, 10)) for digit in number[-2::-2]]
    return (sum(number[-1::-2]) + sum(doubled)) % 10 == 0


def is_identity_card(text: str) -> bool:
    """Tell whether the check digits of a Belgian identity card are right."""
    number = _NOT_DIGITS.sub("", text)
    return (
        int(number[:10]) % NATIONAL_MODULUS % NATIONAL_MODULUS
        == int(number[10:]) % NATIONAL_MODULUS
    )


def is_phone(text: str) -> bool:
    return len(digits(text)) in PHONE_LENGTHS


def is_ip(text: str) -> bool:
    parts = fold(text).split(".")
    return len(parts) == 1 or all(int(part) <= 255 for part in parts)
