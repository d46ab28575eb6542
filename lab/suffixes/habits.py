"""What people do to a sentence on a phone or a keyboard: emphasis, faces, slips, names.

And attacks as programs search for them, invented: pieces of words and of source code, at random. No
known attack is among them: all of those are left to measure by.
"""

from __future__ import annotations

import re
import string
import sysconfig
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

#: Languages that models have read most, and how many words of each.
READ = {"en": 20_000} | dict.fromkeys(("de", "fr", "es", "it", "nl", "pl", "sv", "ro"), 4_000)
#: Files of source code that are read; how often they must have a piece.
FILES, OFTEN = 150, 8
#: Pieces of an attack; shares of them that are signs, that follow without a space, that are cut.
LENGTHS, SIGNS, GLUED, CUT = (
    (12, 30),
    (0.08, 0.12, 0.2, 0.3, 0.4),
    (0.15, 0.3, 0.5),
    (0.1, 0.3, 0.5),
)
#: Shares of signs that stand so in source code, of words that are names of it, of capitals.
OF_CODE, NAMES, CAPITAL, CAPITALS = 0.6, 0.25, 0.2, 0.25


@dataclass(frozen=True, slots=True)
class Pieces:
    """What attacks are made of; signs with how often they are taken."""

    words: Sequence[str]
    names: Sequence[str]
    signs: Sequence[str]
    weights: Sequence[float]


@cache
def pieces() -> Pieces:
    import wordfreq  # noqa: PLC0415 (takes longer to import than most commands take to run)

    words = [w for code, most in READ.items() for w in wordfreq.top_n_list(code, most)]
    files = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))[:FILES]
    source = "\n".join(file.read_text("utf-8", "ignore") for file in files)
    signs = Counter(re.findall(r"[^\w\s]{1,4}", source))
    often = [sign for sign, times in signs.items() if times >= OFTEN]
    names = Counter(re.findall("[A-Za-z]{3,}", source))
    return Pieces(
        [word for word in words if word.isascii() and word.isalpha()],
        [name for name, times in names.items() if times >= OFTEN],
        often,
        [signs[sign] ** 0.4 for sign in often],
    )


def attacks(random: Random, many: int) -> Iterator[str]:
    """Yield invented attacks, each with habits of its own."""
    for _ in range(many):
        signs, glued, cut = random.choice(SIGNS), random.choice(GLUED), random.choice(CUT)
        written = ""
        for _piece in range(random.randint(*LENGTHS)):
            piece = _sign(random) if random.random() < signs else _word(random, cut)
            written += piece if random.random() < glued else f" {piece}"
        yield written.strip()


def _sign(random: Random) -> str:
    known = pieces()
    if random.random() < OF_CODE:
        return random.choices(known.signs, known.weights)[0]
    return "".join(random.choices(string.punctuation, k=random.choice((1, 1, 2, 2, 3))))


def _word(random: Random, cut: float) -> str:
    known = pieces()
    word = random.choice(known.names if random.random() < NAMES else known.words)
    if random.random() < cut and len(word) > 4:
        at = random.randint(1, len(word) - 2)
        word = random.choice((word[at:], word[: at + 1]))
    drawn = random.random()
    return word.capitalize() if drawn < CAPITAL else word.upper() if drawn < CAPITALS else word


#: Marks around words, by what closes them; and what stands by itself.
MARKS = {"(": ")", "{": "}", "(((": ")))", "[": "]", "«": "»", "<": ">", ">>": "<<", "->": "<-"} | {
    mark: mark for mark in ("*", "_", "~", "**", "__", "***", "~~", '"', "'", "-", "--", "/")
}  # fmt: skip
ALONE = (
    "->", "-->", "=>", "=", "==", "<-", "<<", ">>", "***", "~", "~~", "---", "===", ">", "|", "•",
    "*", "->->", "€€", "??", "!!", "…", "&", "+", "@", "#", "(!)", "(?)", "[x]", "[ ]", "/", "//",
    "\\", "1)", "2)", "n°", "§", "-", "–", "—", "^", "^^", "<3", "</3", "¯\\_(ツ)_/¯",
    "(╯°□°)", "\\o/",
)  # fmt: skip
FACES = tuple(
    "".join(parts)
    for parts in product((":", ";", "=", "8", "x", "X", ">:"), ("", "-", "'"), ")(DPp/|*3$@")
)
PAIRS = tuple(f"{eye}{mouth}{eye}" for eye, mouth in product("^oO-*xT.u", ("", "_", ".", "-")))
#: Languages that we do not answer in, and words of a sentence.
ELSEWHERE = ("pl", "es", "pt", "ru", "ar", "sv", "cs", "hu", "uk", "bg", "fi", "id")
MOST_WORDS, COMMON = 16, 3_000
#: What stands between the parts of a list, a table or a title that is copied.
BETWEEN = (" | ", " - ", " • ", " > ", " / ", "\n* ", "\n- ", " · ", " = ", ": ", " + ", " & ")
_ENDING = re.compile(r"[?!.;,]")


def messages(random: Random, sentences: Sequence[str], many: int) -> Iterator[str]:
    """Yield messages as people send them, from sentences as they are."""
    for _ in range(many):
        text = random.choice(sentences) if random.random() > 0.08 else _foreign(random)
        if random.random() < 0.1:
            text = random.choice(BETWEEN).join(random.choices(sentences, k=random.randint(2, 4)))
        if random.random() < 0.55:
            text = _slipped(random, text)
        yield _emphasised(random, text) if random.random() < 0.6 else text


def _emphasised(random: Random, text: str) -> str:
    words, often = text.split(), random.choice((0.1, 0.25, 0.5))
    for at in range(len(words)):
        if random.random() < often:
            mark, last = (
                random.choice(list(MARKS)),
                min(len(words) - 1, at + random.choice((0, 0, 1, 1, 3))),
            )
            space = random.choice(("", "", " "))
            words[at] = mark + space + words[at]
            bare = words[last].rstrip(".,;:?!") if random.random() < 0.5 else words[last]
            words[last] = bare + space + MARKS[mark] + words[last][len(bare) :]
    for _ in range(random.randint(0, 3)):
        at = random.choice((0, len(words), random.randint(0, len(words))))
        words[at:at] = [random.choice(random.choice((FACES, PAIRS, ALONE, ALONE)))] * random.choice(
            (1, 1, 1, 2)
        )
    text = " ".join(words)
    if random.random() < 0.3:
        text = text.upper()
    if random.random() < 0.5:
        text = _ENDING.sub(lambda found: _ending(random, found[0]), text)
    else:
        text += _ending(random, random.choice("!?.;"))
    if random.random() < 0.2:
        mark, space = random.choice(list(MARKS)), random.choice(("", " "))
        text = f"{mark}{space}{text}{space}{MARKS[mark]}"
    return text


def _ending(random: Random, sign: str) -> str:
    many = random.randint(1, 6)
    return random.choice(("", " ")) + random.choice(
        (sign * many, sign + "!" * many, "?!" * many, "...", "…")
    )


def _slipped(random: Random, text: str) -> str:
    """Return a text with slips, and with what people quote, shorten and count."""
    words = text.split()
    for at, word in enumerate(words):
        drawn = random.random()
        if drawn < 0.2 and len(word) > 3:
            cut = random.randint(0, len(word) - 2)
            words[at] = word[:cut] + random.choice((word[cut + 1 :], word[cut + 1] + word[cut:]))
        elif drawn < 0.35:
            words[at] = random.choice(_KINDS)(random, word)
    return " ".join(words)


def _number(random: Random, _word: str) -> str:
    a, b, c = random.randint(1, 1_999), random.randint(0, 59), random.randint(10, 99)
    return random.choice((
        f"{a}", f"{a % 24}:{b:02}", f"{a % 24}u{b:02}", f"{a} mg", f"{a % 30}/{b % 12}", f"{a},{c}",
        f"089/{c}.{b:02}.{c}", f"+32 (0){a} / {b:02}.{c}", f"€{a},{c}", f"{c}-{b}", f"#{a}",
        f"{c}%", f"{c}+",
    ))  # fmt: skip


def _name(random: Random, word: str) -> str:
    """Return what is written like a name of a thing: EpiPen, eHealth, HbA1c, MRI-scan."""
    part, other = word[:4], random.choice(string.ascii_letters)
    return random.choice((
        part.capitalize() + word[4:].capitalize(), f"{other.lower()}{word.capitalize()}",
        f"My{word.capitalize()}", f"{part.capitalize()}{other.upper()}{other.lower()}",
        part.upper(),
        word[:3].upper(), f"{word[:3].upper()}-{word}", f"{other.upper()}{random.randint(1, 19)}",
        f"{other.upper()}{other.lower()}{other.upper()}1{other.lower()}", f"{part}@{word}.be",
        f"www.{word}.be/{part}",
        f"@{word}", f"#{word}", f"{part[:2].capitalize()}{word[-2:].capitalize()}",
        f"https://www.{word}.be/{part}?id={len(word)}&lang={part[:2]}",
    ))  # fmt: skip


def _quoted(random: Random, word: str) -> str:
    mark = random.choice(("'", '"', "(", "«", "["))
    inside = random.choice(
        (word, f"{word[::-1]} {word[1:]}", f"{word[1:]} {word[:3].upper()}", word[::-1])
    )
    return f"{mark}{inside}{MARKS[mark]}"


def _joint(random: Random, word: str) -> str:
    return random.choice(
        (
            word + random.choice(":,;/&"),
            f"{word}/{word[:4]}",
            f"{word}(s)",
            f"{word}/-in",
            f"{word}…",
            f"l'{word}",
        )
    )


_KINDS = (_number, _name, _quoted, _joint)


def _foreign(random: Random) -> str:
    """Return common words of a language that we do not answer in, in no order."""
    words = _common(random.choice(ELSEWHERE))
    return " ".join(random.choices(words, k=random.randint(4, MOST_WORDS))) + random.choice("?.! ")


@cache
def _common(language: str) -> tuple[str, ...]:
    import wordfreq  # noqa: PLC0415 (takes longer to import than most commands take to run)

    return tuple(wordfreq.top_n_list(language, COMMON))
