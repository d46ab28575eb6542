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
    "before": _("before what it denies"), "after": _("after what it denies"),
    "unconscious": _("unconscious"), "breathing": _("trouble breathing"),
    "chest_pain": _("chest pain"), "stroke": _("stroke"), "seizure": _("seizure"),
    "severe_bleeding": _("severe bleeding"), "vomiting_blood": _("vomiting blood"),
    "severe_allergy": _("severe allergy"), "head_injury": _("head injury"),
    "meningitis": _("meningitis"), "sepsis": _("blood poisoning"),
    "child_emergency": _("child in danger"), "diabetes": _("diabetes out of control"),
    "burn": _("burn or electric shock"), "drowning": _("drowning"),
    "accident": _("accident, fall or severed limb"), "limb": _("cold or paralysed leg"),
    "aorta": _("torn aorta"), "testicle": _("pain in a testicle"),
    "help_now": _("cry for help"), "labour_emergency": _("labour, or bleeding in pregnancy"),
    "blood_after_birth": _("bleeding after giving birth"),
    "eye_injury": _("sudden loss of sight or eye injury"),
    "suicide": _("suicidal thoughts"), "farewell": _("farewell message"),
    "self_harm": _("self-harm"), "eating_disorder": _("eating disorder in danger"),
    "after_birth_crisis": _("crisis after giving birth"), "psychosis": _("psychosis"),
    "violence_home": _("violence or abuse at home"),
    "overdose_poison": _("overdose or poisoning"), "gas_inhaled": _("fumes or gas inhaled"),
    "emergency": _("emergency of unknown kind"), "crisis": _("crisis of unknown kind"),
    "poison": _("poisoning of unknown kind"),
}  # fmt: skip
#: Names of the kinds of advice phrases.
ADVICE: dict[str, Any] = {"advice": _("advice in general"), "med": _("medicine")}
#: Names of fixed texts, by purpose.
TEXTS: dict[str, Any] = {
    "examples": _("Questions on the start page"), "disclaimer": _("No medical advice"),
    "ai_notice": _("Notice: a program answers"), "input_hint": _("Request: no personal data"),
    "greeting": _("Greeting"), "thanks": _("Thanks"), "goodbye": _("Goodbye"),
    "person": _("Visitor asks for a person"), "identity": _("Visitor asks who answers"),
    "clarify": _("Question not understood"), "refuse_medical": _("Medical advice refused"),
    "refuse_page": _("Page shown with refused advice"),
    "refuse_offtopic": _("Not about the hospital"),
    "refuse_other_hospital": _("Another hospital"), "block_attack": _("Attack blocked"),
    "alarm_emergency": _("Alarm: emergency"), "notice_emergency": _("One-line alarm: emergency"),
    "alarm_crisis": _("Alarm: crisis"), "notice_crisis": _("One-line alarm: crisis"),
    "alarm_poison": _("Alarm: poisoning"), "notice_poison": _("One-line alarm: poisoning"),
    "alarm_labour": _("Alarm: labour"), "notice_labour": _("One-line alarm: labour"),
    "alarm_eye": _("Alarm: eye"), "notice_eye": _("One-line alarm: eye"),
    "alarm_violence": _("Alarm: violence at home"),
    "notice_violence": _("One-line alarm: violence at home"),
    "no_answer_part": _("Nothing found for part of the question"),
    "not_on_pages": _("Not on the pages"),
    "missing_on_pages": _("Part of the answer is not on the pages"),
    "unconfirmed": _("Statement not confirmed"), "degraded": _("Limited service"),
    "too_long": _("Message too long"), "bulletin": _("Heading of a bulletin"),
    "answer_withheld": _("Answer being checked"),
    "rate_limited": _("Too many questions"), "offline": _("No connection"),
    "error": _("Something went wrong"), "unsupported_language": _("Language not supported"),
    "quoting_notice": _("Answer put together from quotes"),
    "quote_is_translated": _("Quote is a translation"),
    "quote_language": _("Quote in another language"),
    "source_is_dutch": _("Source in another language"), "source_is_old": _("Source is old"),
    "table_part": _("Part of a table"), "unit_note": _("Different unit than asked for"),
    "verified_badge": _("Verified with hospital data"), "ambiguous": _("Several matches"),
    "lead_condition_department": _("Opening sentence: department for a condition"),
    "lead_treatment_department": _("Opening sentence: department for a treatment"),
    "lead_examination_department": _("Opening sentence: department for an examination"),
    "lead_department_contact": _("Opening sentence: how to reach a department"),
    "lead_department": _("Opening sentence: a department"),
    "lead_campus_departments": _("Opening sentence: departments of a campus"),
    "lead_team": _("Opening sentence: team of a department"),
    "lead_doctor": _("Opening sentence: a doctor"),
    "lead_roster": _("Opening sentence: doctors of a department"),
    "lead_roster_one": _("Opening sentence: one doctor"),
    "lead_roster_none": _("Opening sentence: no doctors known"),
    "lead_filtered": _("Opening sentence: doctors who fit"),
    "lead_filtered_none": _("Opening sentence: no doctor fits"),
    "lead_booking": _("Opening sentence: an appointment"),
    "lead_complaint_department": _("Opening sentence: department for complaints"),
    "ask_gp": _("Discuss it with a doctor"), "uncertain_contact": _("Closest match"),
    "read_on": _("More pages"),
    "fact_visiting_hours": _("Fact: visiting hours"),
    "fact_schedule": _("Fact: consultation hours"),
    "fact_languages": _("Fact: languages of a doctor"),
    "fact_elsewhere": _("Fact: not at this campus"),
    "fact_part_of": _("Fact: belongs to a department"), "supplement": _("Added from hospital data"),
    "more_doctors": _("More doctors"),
    "gender_f": _("Word: woman"), "gender_m": _("Word: man"), "list_and": _("Word: and"),
    "phone_label": _("Word: phone"), "email_label": _("Word: e-mail"),
    "hours_label": _("Word: opening hours"), "address_label": _("Word: address"),
    "language_name_nl": _("Language name: Dutch"), "language_name_en": _("Language name: English"),
    "language_name_fr": _("Language name: French"), "language_name_de": _("Language name: German"),
    "language_name_tr": _("Language name: Turkish"),
    "language_name_it": _("Language name: Italian"),
    "language_name_ro": _("Language name: Romanian"), "language_name_el": _("Language name: Greek"),
    "suggest_doctors": _("Suggestion: which doctors"),
    "suggest_booking": _("Suggestion: an appointment"),
    "suggest_hours": _("Suggestion: visiting hours"),
}  # fmt: skip
#: Names of the targets of cues.
TARGETS: dict[str, Any] = {
    **{str(at + 1): name for at, name in WEEKDAYS.items()},
    "daily": _("daily"), "weekdays": _("weekdays"), "day_and_night": _("day and night"),
    "and": _("and"), "or": _("or"), "only": _("only"), "at_most": _("maximum"),
    "visits": _("visiting hours"), "consultations": _("consultations"), "visitors": _("visitors"),
    "one_companion": _("one companion"), "partner": _("partner"), "parents": _("parents"),
    "by_appointment": _("by appointment"), "closed": _("closed"), "secretariat": _("secretary"),
    "some": _("some of them"), "noun": _("a care facility"),
    "yours": _("the hospital being asked"), "town": _("a town"), "other": _("another place"),
    "before": _("before the word it applies to"), "after": _("after the word it applies to"),
    "behind": _("after a name"), "polite": _("form of address"),
    "prefix": _("beginning of a street name"), "word": _("word in a street name"),
    "flat": _("word before a flat or floor"), "number": _("word that announces a house number"),
    "quarter": _("a neighbourhood or residence"), "check": _("check digits after a number"),
    "unit": _("a count, not a date"), "lives": _("says where somebody lives"),
    "building": _("a building, not a home"),
    "at": _("at sign (@)"), "dot": _("full stop (.)"),
    "phone": _("telephone number"), "file": _("file number"), "person": _("person"),
    "year": _("year"), "month": _("month"), "week": _("week"), "day": _("day"), "hour": _("hour"),
    "minute": _("minute"), "time": _("times"), "euro": _("euro"), "percent": _("percent"),
    "degree": _("degree"), "metre": _("metre"), "litre": _("litre"), "gram": _("gram"),
    "microgram": _("microgram"), "tablet": _("tablet"), "spoon": _("spoon"), "dose": _("dose"),
    "capsule": _("capsule"), "puff": _("puff"), "drop": _("drop"), "sachet": _("sachet"),
    "suppository": _("suppository"), "iu": _("international unit"),
    "not": _("denial"), "if": _("only under a condition"), "at_least": _("at least"),
    "until": _("up to"), "from": _("from then on"), "earlier": _("earlier"), "later": _("later"),
    "then": _("in that case"), "all": _("all of them"),
    "medicine": _("medicine"), "stopping": _("stopping a medicine"), "fasting": _("fasting"),
    "bleeding": _("bleeding"), "pregnancy": _("pregnancy"), "child": _("child"),
    "driving": _("driving"), "call": _("when to come or call"), "emergency": _("emergency"),
    "never_stop": _("never stop on your own"), "courtesy": _("courtesy"),
    "sympathy": _("sympathy"), "absent": _("not on our pages"),
    "danger": _("call in danger"), "referral": _("whom to ask"),
    "words": _("words allowed beside them"),
    "ask": _("question to the visitor"), "feeling": _("words of feeling"),
    "haste": _("without delay"), "instead": _("instead of it"),
}  # fmt: skip


def name_in(names: dict[str, Any], code: str) -> Any:
    """Return the name of a code; for one that a hospital added, the code in words."""
    return names.get(code) or code.replace("_", " ")
