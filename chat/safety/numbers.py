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
SHORTEST_IBAN = 15
CNP_WEIGHTS = (2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9)
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


def is_turkish_identity(text: str) -> bool:
    """Tell whether the check digits of a Turkish identity number are right."""
    number = [int(digit) for digit in _NOT_DIGITS.sub("", text)]
    if len(number) != NATIONAL_LENGTH or not number[0]:
        return False
    tenth = (7 * sum(number[0:9:2]) - sum(number[1:8:2])) % 10
    return number[9] == tenth and number[10] == sum(number[:10]) % 10


def is_romanian_identity(text: str) -> bool:
    """Tell whether the check digit of a Romanian personal number (CNP) is right."""
    number = [int(digit) for digit in _NOT_DIGITS.sub("", text)]
    if len(number) != len(CNP_WEIGHTS) + 1:
        return False
    rest = sum(weight * digit for weight, digit in zip(CNP_WEIGHTS, number, strict=False)) % 11
    return number[-1] == (1 if rest == 10 else rest)


def is_greek_insurance(text: str) -> bool:
    """Tell whether a Greek insurance number (AMKA) begins with a date and ends with its check."""
    number = _NOT_DIGITS.sub("", text)
    if len(number) != NATIONAL_LENGTH or not 1 <= int(number[:2]) <= 31:
        return False
    doubled = [sum(divmod(2 * int(digit), 10)) for digit in number[-2::-2]]
    plain = [int(digit) for digit in number[-1::-2]]
    return 1 <= int(number[2:4]) <= 12 and (sum(plain) + sum(doubled)) % 10 == 0


def iban_in(text: str) -> str:
    """Return the longest beginning of a text that is an IBAN; words may follow it."""
    for end in range(len(text), SHORTEST_IBAN - 1, -1):
        if not text[end - 1].isspace() and is_iban(text[:end]):
            return text[:end]
    return ""
