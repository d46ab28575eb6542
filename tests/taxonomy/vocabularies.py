"""A small hospital as plain values, for tests without a database."""

from functools import cache

from taxonomy.language.lexicon import Lexicon
from taxonomy.resolvers import ResolverIndex
from taxonomy.resolvers.index import Wording
from taxonomy.vocabulary import Kind, Predicate, Thing, Triple, Vocabulary
from tests.builders import thing

CONCEPTS = (
    ("and", "function", {"nl": "en", "en": "and", "fr": "et"}),
    ("where", "function", {"nl": "waar", "en": "where", "fr": "où", "tr": "nerede"}),
    ("if", "function", {"nl": "als|wanneer"}),
    ("i", "function", {"nl": "ik|mij|mijn", "en": "i|my", "fr": "je|mon"}),
    ("have", "function", {"nl": "heb|hebben|heeft", "en": "have|has", "fr": "ai|avoir"}),
    ("of", "function", {"nl": "van|de|het|een|den|der", "en": "of|the|a", "fr": "de|la|le|du"}),
    ("doctor", "person", {"nl": "arts|artsen|dokter|dokters|dr", "en": "doctor|doctors|dr",
                          "fr": "médecin|docteur|dr", "el": "γιατρός"}),
    ("white", "practical", {"nl": "wit|witte"}),
    ("back_pain", "symptom", {"nl": "rugpijn|pijn in de rug", "en": "back pain|backache",
                              "fr": "mal de dos", "tr": "sırt ağrısı", "de": "Rückenschmerzen"}),
    ("syphilis", "condition", {"nl": "syfilis", "en": "syphilis", "fr": "syphilis"}),
    ("heart", "body", {"nl": "hart", "en": "heart", "fr": "cœur"}),
    ("cardiology", "specialty", {"nl": "cardiologie", "en": "cardiology"}),
    ("park", "practical", {"nl": "parkeren|parkeer", "en": "park|parking", "tr": "park"}),
    ("cost", "money", {"nl": "kosten|kost", "en": "cost|costs"}),
    ("radio", "practical", {"nl": "radio"}),
    ("saint", "place", {"nl": "sint|st", "fr": "saint|sainte|st", "it": "san|santa"}),
    ("problem", "symptom", {"nl": "probleem|problemen", "en": "problem|problems"}),
)  # fmt: skip


def doctor(title: str, first_name: str, last_name: str, specialty: str = "") -> Thing:
    name = f"{title} {first_name} {last_name}".strip()
    data = {"title": title, "first_name": first_name, "last_name": last_name}
    return thing(Kind.DOCTOR, name, **data, specialty=specialty)


def lexicon() -> Lexicon:
    return Lexicon({"concept": name, "kind": kind} | words for name, kind, words in CONCEPTS)


#: Where complaints lead, by specialty.
COMPLAINTS = [{"complaint": "heart", "specialty": "cardiology", "weight": 1.0}]


@cache
def vocabulary() -> Vocabulary:  # noqa: PLR0915  (one line per thing)
    """Return departments, what they do, and who works there."""
    campus = thing(Kind.CAMPUS, "Campus Sint-Jan", "Sint-Jan", "Genk", "en:Saint John campus")
    cardiology = thing(
        Kind.DEPARTMENT, "Cardiologie", "cardio", "hartdienst", "hartziekten", "hartspecialist",
        "de:Kardiologie", "en:cardiology", "el:καρδιολογία",
    )  # fmt: skip
    radiology = thing(Kind.DEPARTMENT, "Radiologie", "beeldvorming")
    dermatology = thing(Kind.DEPARTMENT, "Dermatologie", "huidarts", "fr:dermatologue")
    orthopaedics = thing(Kind.DEPARTMENT, "Orthopedie", "orthopedisch chirurg")
    intensive = thing(Kind.DEPARTMENT, "Intensieve Zorgen", "IZ")
    emergency = thing(Kind.DEPARTMENT, "Spoedgevallen", "spoed", "spoed opname")
    endocrinology = thing(Kind.DEPARTMENT, "Endocrinologie", "suikerkliniek")
    gynaecology = thing(Kind.DEPARTMENT, "Gynaecologie", "vrouwenarts", "fr:gynécologie")
    ward = thing(Kind.DEPARTMENT, "N2-afdeling", "N2", "afdeling N2", sort="ward")
    other_wards = [
        thing(Kind.DEPARTMENT, f"Verpleegafdeling {name}", f"afdeling {name}", sort="ward")
        for name in ("Noord", "Zuid")
    ]
    palpitations = thing(
        Kind.CONDITION, "Palpitaties", "hartkloppingen", "en:palpitations",
        latin="Palpitationes cordis",
    )  # fmt: skip
    syphilis = thing(Kind.CONDITION, "Syfilis", "harde sjanker")
    diabetes = thing(Kind.CONDITION, "Diabetes mellitus", "suikerziekte", "diabetes")
    als = thing(Kind.CONDITION, "Amyotrofe laterale sclerose", "ALS")
    back_pain = thing(Kind.CONDITION, "Lagerugpijn", "rugpijn", "lage rugpijn")
    angina = thing(Kind.CONDITION, "Keelontsteking", "fr:angine")
    angina_pectoris = thing(Kind.CONDITION, "Angina pectoris", "it:angina", "en:angina")
    ablation = thing(Kind.TREATMENT, "Ablatie van het hart", "ablatie")
    ecg = thing(Kind.EXAMINATION, "ECG", "hartfilmpje")
    mammography = thing(Kind.EXAMINATION, "Mammografie", "borstonderzoek")
    surgeon = thing(Kind.SPECIALTY, "Heupchirurgie", "heupchirurg*")
    ann, koen = doctor("Dr.", "Ann", "Peeters"), doctor("Dr.", "Koen", "Peeters")
    people = (
        ann, koen, doctor("Dr.", "Jan", "Van den Berg"), doctor("Prof. dr.", "Katrien", "Janssens"),
        doctor("Dr.", "Veerle", "D'Haeseleer"), doctor("Dr.", "Piet", "De Wit"),
        doctor("Dr.", "François", "Lemaître"), doctor("Dr.", "Mehmet", "Yılmaz"),
        doctor("Dr.", "Leen", "Maes"), doctor("Dr.", "Nikos", "Papadopoulos"),
        doctor("Dr.", "Annelies", "Martin"), doctor("Dr.", "Martin", "Claeskens"),
    )  # fmt: skip
    facts = (
        Triple(ann, Predicate.WORKS_IN, cardiology),
        Triple(koen, Predicate.WORKS_IN, orthopaedics),
        Triple(cardiology, Predicate.HANDLES, palpitations),
        Triple(dermatology, Predicate.HANDLES, syphilis),
        Triple(endocrinology, Predicate.HANDLES, diabetes),
        Triple(orthopaedics, Predicate.HANDLES, back_pain),
        Triple(cardiology, Predicate.PERFORMS, ecg),
        Triple(surgeon, Predicate.BELONGS_TO, orthopaedics),
        Triple(cardiology, Predicate.LOCATED_AT, campus),
    )
    return Vocabulary(
        (campus, cardiology, radiology, dermatology, orthopaedics, intensive, emergency,
         endocrinology, gynaecology, ward, *other_wards, palpitations, syphilis, diabetes, als,
         back_pain, angina, angina_pectoris, ablation, ecg, mammography, surgeon, *people),
        facts,
    )  # fmt: skip


@cache
def index() -> ResolverIndex:
    return ResolverIndex(
        vocabulary(), lexicon(), "nl", Wording(["meer informatie over"], complaints=COMPLAINTS)
    )
