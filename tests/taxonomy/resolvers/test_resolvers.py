"""Resolution of words to entities: the most precise match, never a guess."""

import pytest

from taxonomy.language.lexicon import Lexicon
from taxonomy.resolvers import Match, ResolverIndex, resolve
from taxonomy.resolvers.index import has_specialty_word
from taxonomy.resolvers.recognise import AFTERWARDS, RESOLVERS
from taxonomy.vocabulary import Kind, Thing, Vocabulary
from tests.taxonomy.vocabularies import index, thing


def found(question: str, language: str = "nl") -> dict[str, str]:
    """Return the names that a question resolves to, and by which resolver."""
    return {match.thing.name: match.by for match in resolve(question, index(), language)}


def one(question: str, kind: Kind, language: str = "nl") -> Match:
    (match,) = [m for m in resolve(question, index(), language) if m.thing.kind is kind]
    return match


def test_the_order_is_the_design() -> None:
    assert list(RESOLVERS) == [
        "enrichment_trigger", "campus_exact", "department_skip_gram", "department_n_gram",
        "department_single_alias", "department_exact_name", "condition", "treatment", "examination",
        "specialty",
    ]  # fmt: skip
    assert list(AFTERWARDS) == ["fuzzy", "department_from_condition"]


@pytest.mark.parametrize(
    ("question", "name", "resolver"),
    [
        pytest.param(
            "meer informatie over een ablatie", "Ablatie van het hart", "enrichment_trigger"
        ),
        pytest.param("Sint-Jan", "Campus Sint-Jan", "campus_exact"),
        pytest.param(
            "waar ligt Genk", "Campus Sint-Jan", "campus_exact", id="a campus by its town"
        ),
        pytest.param("intensive zorgen", "Intensieve Zorgen", "department_skip_gram"),
        pytest.param("de zorgen die intensieve heten", "Intensieve Zorgen", "department_skip_gram"),
        pytest.param("spoed opname", "Spoedgevallen", "department_n_gram"),
        pytest.param("cardio", "Cardiologie", "department_single_alias"),
        pytest.param("Orthopedie", "Orthopedie", "department_exact_name"),
        pytest.param("suikerziekte", "Diabetes mellitus", "condition"),
        pytest.param("palpitationes cordis", "Palpitaties", "condition", id="by its Latin name"),
        pytest.param("suikerziekte", "Endocrinologie", "department_from_condition"),
        pytest.param("een ablatie", "Ablatie van het hart", "treatment"),
        pytest.param("hartfilmpje", "ECG", "examination"),
        pytest.param("een heupchirurg", "Heupchirurgie", "specialty"),
        pytest.param("cardilogie", "Cardiologie", "fuzzy"),
    ],
)
def test_each_resolver_recognises_its_own(question: str, name: str, resolver: str) -> None:
    assert found(question)[name] == resolver


@pytest.mark.parametrize(
    ("question", "name"),
    [
        pytest.param("borst onderzoek", "Mammografie", id="a compound written apart"),
        pytest.param("Borstonderzoek?", "Mammografie", id="a compound written together"),
        pytest.param("hartklopping", "Palpitaties", id="a singular"),
        pytest.param("orthopedy", "Orthopedie", id="spelt as it sounds"),
        pytest.param("kardiologie", "Cardiologie", id="German, without saying so"),
        pytest.param("ΚΑΡΔΙΟΛΟΓΊΑ", "Cardiologie", id="Greek capitals with an accent"),
        pytest.param("l'angina pectoris", "Angina pectoris", id="after an elided article"),
        pytest.param("dermatoligie", "Dermatologie", id="a wrong letter"),
        pytest.param("wat is ALS", "Amyotrofe laterale sclerose", id="an abbreviation that is a word"),
        pytest.param("suikerziektekosten", "Diabetes mellitus", id="what a compound begins with"),
        pytest.param("sırt ağrısı", "Lagerugpijn", id="a word that the lexicon lends"),
    ],
)  # fmt: skip
def test_spelling_variants_are_recognised(question: str, name: str) -> None:
    assert name in found(question, language="")


@pytest.mark.parametrize(
    ("question", "name"),
    [("cardilogie", "Radiologie"), ("radilogie", "Cardiologie"),
     ("suikerziekte bij cardiologie", "Endocrinologie")],
)  # fmt: skip
def test_similar_names_are_not_confused(question: str, name: str) -> None:
    assert name not in found(question)


@pytest.mark.parametrize(
    "word", ["als ik val", "afdeling", "de afdeling", "dienst", "radio", "als", "en", "wit"]
)
def test_ordinary_words_are_not_misspelt_names(word: str) -> None:
    assert found(word) == {}


def test_a_department_takes_precedence_over_a_ward_code() -> None:
    matches = resolve("bezoekuren N2-afdeling endocrinologie", index(), "nl")

    assert [match.thing.name for match in matches] == ["Endocrinologie", "N2-afdeling"]


@pytest.mark.parametrize(
    ("name", "is_code"),
    [
        ("ORL", False),
        ("Dienst NKO", False),
        ("N2-afdeling", True),
        ("Unité U52", True),
        ("Unité III", True),
        ("Afdeling B", True),
    ],
)
def test_an_abbreviation_describes_a_department_and_a_code_does_not(
    name: str, is_code: bool
) -> None:
    generic = frozenset({"dienst", "unite", "afdeling"})

    assert has_specialty_word(name, generic) is not is_code


def test_the_longest_name_wins_and_uses_its_words() -> None:
    assert found("orthopedisch chirurg") == {"Orthopedie": "department_n_gram"}


def test_returns_all_that_is_named_most_important_first() -> None:
    matches = resolve("Kan ik in Genk bij cardio terecht voor suikerziekte?", index(), "nl")

    names = [match.thing.name for match in matches]
    assert names == ["Diabetes mellitus", "Cardiologie", "Campus Sint-Jan"]


def test_a_word_of_two_languages_is_read_in_the_questions_language() -> None:
    assert one("angine", Kind.CONDITION, "fr").thing.name == "Keelontsteking"
    assert one("angina", Kind.CONDITION, "it").thing.name == "Angina pectoris"


def test_a_match_has_its_words_and_confidence() -> None:
    exact, misspelt = one("De Hartdienst?", Kind.DEPARTMENT), one("cardilogie", Kind.DEPARTMENT)
    compound = one("diabetesprobleem", Kind.CONDITION)

    assert exact.text == "Hartdienst"
    assert exact.confidence == 1.0
    assert 0.8 <= misspelt.confidence < 1.0
    assert (compound.thing.name, compound.confidence < 0.8) == ("Diabetes mellitus", True)


@pytest.mark.parametrize("question", ["", "   ", "?!", "12345", "🙂", "zzzkkrt qwxyz"])
def test_texts_without_names_have_no_matches(question: str) -> None:
    assert resolve(question, index(), "nl") == ()


def built(spoken: Thing, *rows: tuple[str, str, dict[str, str]]) -> ResolverIndex:
    """Return an index of one thing, and a lexicon of some concepts."""
    concepts = ({"concept": name, "kind": kind} | words for name, kind, words in rows)
    return ResolverIndex(Vocabulary([spoken], []), Lexicon(concepts), "nl")


LASER = thing(Kind.TREATMENT, "Laserbehandeling", "it:laser")
STROKE = thing(Kind.CONDITION, "Beroerte", "geraaktheid")
LENT = (
    ("laser", "treatment", {"nl": "laserbehandeling", "en": "laser"}),
    ("eye_laser", "treatment", {"nl": "ooglaser", "en": "laser eye surgery"}),
)


@pytest.mark.parametrize(
    ("index", "language", "question", "is_found"),
    [
        # Words are not joined to a name where one of them only joins others: "la sera" is the evening.
        (built(LASER, ("of", "function", {"it": "la|il"})), "it", "posso venire la sera", False),
        # The stem of a name never outranks a practical word.
        (built(STROKE, ("directions", "practical", {"nl": "geraak"})), "nl", "hoe geraak ik er", False),
        (built(STROKE, ("directions", "practical", {"nl": "geraak"})), "nl", "een geraaktheid", True),
        # A word that is lent is not cut out of another expression.
        (built(LASER, *LENT), "en", "do you do laser eye surgery", False),
        (built(LASER, *LENT), "en", "do you do laser", True),
    ],
)  # fmt: skip
def test_a_word_with_another_meaning_is_no_name(index, language, question, is_found):
    assert bool(resolve(question, index, language)) is is_found


def test_named_entities_come_before_borrowed_ones() -> None:
    admissions = thing(Kind.DEPARTMENT, "Opnamedienst")
    ward = thing(Kind.DEPARTMENT, "Kinderafdeling")
    concepts = [{"concept": "admission", "kind": "practical", "nl": "opnamedienst|ligt opgenomen"}]
    index = ResolverIndex(Vocabulary([admissions, ward], []), Lexicon(concepts), "nl")

    found = resolve("hij ligt opgenomen op de kinderafdeling", index, "nl")

    assert [match.thing.name for match in found] == ["Kinderafdeling", "Opnamedienst"]
    assert [match.is_borrowed for match in found] == [False, True]
