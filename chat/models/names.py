"""Staff's names for codes: emergencies, advice, fixed texts and targets of cues.

Rules and pipelines use the codes; staff read and choose the names. A code that a hospital added has
no name and is shown as words.
"""

from __future__ import annotations

from typing import Any

from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

#: Names of alarm situations, and positions of denials.
EMERGENCIES: dict[str, Any] = {
    "before": _("before what it denies"), "after": _("behind what it denies"),
    "unconscious": _("unconscious"), "breathing": _("trouble breathing"),
    "chest_pain": _("chest pain"), "stroke": _("stroke"), "seizure": _("seizure"),
    "severe_bleeding": _("severe bleeding"), "vomiting_blood": _("vomiting blood"),
    "severe_allergy": _("severe allergy"), "head_injury": _("head injury"),
    "meningitis": _("meningitis"), "sepsis": _("blood poisoning"),
    "child_emergency": _("child in danger"), "diabetes": _("derailed diabetes"),
    "burn": _("burn or electric shock"), "drowning": _("drowning"),
    "accident": _("accident, fall or severed limb"), "limb": _("cold or paralysed leg"),
    "aorta": _("torn aorta"), "testicle": _("pain in a testicle"),
    "help_now": _("cry for help"), "labour_emergency": _("labour, or bleeding in pregnancy"),
    "blood_after_birth": _("bleeding after giving birth"),
    "eye_injury": _("sudden loss of sight or eye injury"),
    "suicide": _("suicidal thoughts"), "farewell": _("farewell"), "self_harm": _("self-harm"),
    "eating_disorder": _("eating disorder in danger"),
    "after_birth_crisis": _("crisis after giving birth"), "psychosis": _("psychosis"),
    "violence_home": _("violence or abuse at home"),
    "overdose_poison": _("overdose or poisoning"), "gas_inhaled": _("fumes or gas inhaled"),
    "emergency": _("emergency of no known sort"), "crisis": _("crisis of no known sort"),
    "poison": _("poisoning of no known sort"),
}  # fmt: skip
#: Names of the kinds of advice phrases.
ADVICE: dict[str, Any] = {"advice": _("advice in general"), "med": _("medicine")}
#: Names of fixed texts, by purpose.
TEXTS: dict[str, Any] = {
    "examples": _("Questions on the start page"), "disclaimer": _("No medical advice"),
    "ai_notice": _("Who answers: a program"), "input_hint": _("No personal details, please"),
    "greeting": _("Greeting"), "thanks": _("Thanks"), "goodbye": _("Goodbye"),
    "person": _("Asked for a person"), "identity": _("Asked who answers"),
    "clarify": _("Question not understood"), "refuse_medical": _("Medical advice refused"),
    "refuse_page": _("Page beside refused advice"), "refuse_offtopic": _("Not about the hospital"),
    "refuse_other_hospital": _("Another hospital"), "block_attack": _("Attack blocked"),
    "alarm_emergency": _("Alarm: emergency"), "notice_emergency": _("Line: emergency"),
    "alarm_crisis": _("Alarm: crisis"), "notice_crisis": _("Line: crisis"),
    "alarm_poison": _("Alarm: poisoning"), "notice_poison": _("Line: poisoning"),
    "alarm_labour": _("Alarm: labour"), "notice_labour": _("Line: labour"),
    "alarm_eye": _("Alarm: eye"), "notice_eye": _("Line: eye"),
    "alarm_violence": _("Alarm: violence at home"), "notice_violence": _("Line: violence at home"),
    "no_answer_part": _("Nothing found for a part"),
    "not_on_pages": _("Not on the pages"), "missing_on_pages": _("A part is not on the pages"),
    "unconfirmed": _("Statement not confirmed"), "degraded": _("Limited means"),
    "too_long": _("Message too long"), "bulletin": _("Heading of a bulletin"),
    "answer_withheld": _("Answer being checked"),
    "rate_limited": _("Too many questions"), "offline": _("No connection"),
    "error": _("Something went wrong"), "unsupported_language": _("Language not spoken"),
    "quoting_notice": _("Put together from quotes"),
    "quote_is_translated": _("Quote is a translation"),
    "quote_language": _("Quote in another language"),
    "source_is_dutch": _("Source in another language"), "source_is_old": _("Source is old"),
    "table_part": _("Part of a table"), "unit_note": _("Other unit than asked"),
    "verified_badge": _("Verified with hospital data"), "ambiguous": _("Several matches"),
    "lead_condition_department": _("Opening: department for a condition"),
    "lead_treatment_department": _("Opening: department for a treatment"),
    "lead_examination_department": _("Opening: department for an examination"),
    "lead_department_contact": _("Opening: reaching a department"),
    "lead_department": _("Opening: a department"),
    "lead_campus_departments": _("Opening: departments of a campus"),
    "lead_team": _("Opening: team of a department"), "lead_doctor": _("Opening: a doctor"),
    "lead_roster": _("Opening: doctors of a department"),
    "lead_roster_one": _("Opening: one doctor"),
    "lead_roster_none": _("Opening: no doctors known"),
    "lead_filtered": _("Opening: doctors who fit"),
    "lead_filtered_none": _("Opening: no doctor fits"),
    "lead_booking": _("Opening: an appointment"),
    "lead_complaint_department": _("Opening: department for complaints"),
    "ask_gp": _("Discuss it with a doctor"), "uncertain_contact": _("Comes closest"),
    "read_on": _("Further pages"),
    "fact_visiting_hours": _("Fact: visiting hours"),
    "fact_schedule": _("Fact: consultation hours"),
    "fact_languages": _("Fact: languages of a doctor"),
    "fact_elsewhere": _("Fact: not at this campus"),
    "fact_part_of": _("Fact: belongs to a department"), "supplement": _("Added from hospital data"),
    "more_doctors": _("More doctors"),
    "gender_f": _("Word: woman"), "gender_m": _("Word: man"), "list_and": _("Word: and"),
    "phone_label": _("Word: phone"), "email_label": _("Word: e-mail"),
    "hours_label": _("Word: opening hours"), "address_label": _("Word: address"),
    "language_name_nl": _("Name of Dutch"), "language_name_en": _("Name of English"),
    "language_name_fr": _("Name of French"), "language_name_de": _("Name of German"),
    "language_name_tr": _("Name of Turkish"), "language_name_it": _("Name of Italian"),
    "language_name_ro": _("Name of Romanian"), "language_name_el": _("Name of Greek"),
    "suggest_doctors": _("Suggestion: which doctors"),
    "suggest_booking": _("Suggestion: an appointment"),
    "suggest_hours": _("Suggestion: visiting hours"),
}  # fmt: skip
#: Names of the targets of cues.
TARGETS: dict[str, Any] = {
    **{str(at + 1): name for at, name in WEEKDAYS.items()},
    "daily": _("daily"), "weekdays": _("weekdays"), "day_and_night": _("day and night"),
    "and": _("and"), "or": _("or"), "only": _("only"), "at_most": _("at most"),
    "visits": _("visiting hours"), "consultations": _("consultations"), "visitors": _("visitors"),
    "one_companion": _("one companion"), "partner": _("partner"), "parents": _("parents"),
    "by_appointment": _("by appointment"), "closed": _("closed"), "secretariat": _("secretary"),
    "some": _("some of them"), "noun": _("a house of care"),
    "yours": _("the hospital spoken to"), "town": _("a town"), "other": _("another place"),
    "before": _("before what is meant"), "after": _("behind what is meant"),
    "behind": _("behind a name"), "polite": _("form of address"),
    "prefix": _("begins a name of a street"), "word": _("word of a street's name"),
    "flat": _("word before a flat or floor"), "number": _("word before a house number"),
    "quarter": _("a quarter or residence"), "check": _("check digits behind a number"),
    "unit": _("counted, no date"), "lives": _("says where somebody lives"),
    "building": _("a building, no home"),
    "at": _("sign @"), "dot": _("a full stop"),
    "phone": _("telephone number"), "file": _("file number"), "person": _("person"),
    "year": _("year"), "month": _("month"), "week": _("week"), "day": _("day"), "hour": _("hour"),
    "minute": _("minute"), "time": _("times"), "euro": _("euro"), "percent": _("percent"),
    "degree": _("degree"), "metre": _("metre"), "litre": _("litre"), "gram": _("gram"),
    "microgram": _("microgram"), "tablet": _("tablet"), "spoon": _("spoon"), "dose": _("dose"),
    "capsule": _("capsule"), "puff": _("puff"), "drop": _("drop"), "sachet": _("sachet"),
    "suppository": _("suppository"), "iu": _("international unit"),
    "not": _("denial"), "if": _("only on a condition"), "at_least": _("at least"),
    "until": _("up to"), "from": _("from then on"), "earlier": _("earlier"), "later": _("later"),
    "then": _("in that case"), "all": _("all of them"),
    "medicine": _("medicine"), "stopping": _("stopping a medicine"), "fasting": _("fasting"),
    "bleeding": _("bleeding"), "pregnancy": _("pregnancy"), "child": _("child"),
    "driving": _("driving"), "call": _("when to come or call"), "emergency": _("emergency"),
    "never_stop": _("never stop on your own"), "courtesy": _("courtesy"),
    "sympathy": _("sympathy"), "absent": _("not on our pages"),
    "danger": _("call in danger"), "referral": _("whom to ask"), "words": _("words beside them"),
    "ask": _("question to the visitor"), "feeling": _("words of feeling"),
    "haste": _("without delay"), "instead": _("in place of it"),
}  # fmt: skip


def name_in(names: dict[str, Any], code: str) -> Any:
    """Return the name of a code; for one that a hospital added, the code in words."""
    return names.get(code) or code.replace("_", " ")
