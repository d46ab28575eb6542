"""Pairs of pages as hospitals have them: 20 of which one is outdated, and 20 that only look alike.

Of each page: title, path, when it was written as the page says it, and what stands in it. Older first.
"""

BEZOEK = "<p>Bezoek is elke dag welkom van {a} uur. Hou rekening met andere patiënten en kom met hoogstens {b} personen.</p><p>Bent u ziek, stel uw bezoek dan uit. Honden blijven buiten, behalve hulphonden.</p>"
DARM = "<p>Een coloscopie is een onderzoek van de dikke darm met een soepele slang.</p><h2>Voorbereiding</h2><p>Eet {a} dagen vooraf geen vezels. Drink de avond voordien {b} liter van het laxeermiddel.</p><h2>Nadien</h2><p>U mag niet zelf met de auto rijden.</p>"
SCAN = "<p>Met een MRI-scan maakt de radioloog beelden met een magneetveld. Het onderzoek duurt {a} minuten.</p><p>Draag geen metaal. Meld een pacemaker vooraf op het nummer {b}.</p>"
PIJN = "<p>Na de ingreep krijgt u pijnstilling. Neem paracetamol om de {a} uur, hoogstens {b} tabletten per dag.</p><p>Bel uw arts als de pijn toeneemt of bij koorts.</p>"
PARK = "<p>De parking is dag en nacht open. U betaalt aan de automaat bij de inkom met bancontact of cash.</p><table><tr><th>Duur</th><th>Tarief</th></tr><tr><td>1 uur</td><td>{a} euro</td></tr><tr><td>Hele dag</td><td>{b} euro</td></tr></table>"
TEL = "<p>U maakt een afspraak bij de raadpleging met een verwijsbrief van uw huisarts. Breng uw identiteitskaart en de lijst van uw medicatie mee.</p><p>Telefoon: {a}, elke werkdag van {b} uur.</p>"
HEUP = "<p>Uw heup wordt vervangen door een prothese. U blijft {a} nachten in het ziekenhuis en stapt de dag na de operatie met krukken.</p><h2>Thuis</h2><p>Slaap {b} weken op uw rug. De kinesist komt aan huis.</p>"
OPNAME = "<p>Meld u op de dag van uw opname aan bij de inschrijvingen. Breng uw identiteitskaart, uw medicatie en nachtkledij mee.</p><p>Het voorschot bedraagt {a} euro. U wordt verwacht om {b} uur.</p>"
WIFI = "<p>Gratis internet vindt u op het netwerk {a}. Open uw browser en aanvaard de voorwaarden. Na {b} uur meldt u zich opnieuw aan.</p>"
VISITE = "<p>Les visites sont autorisées tous les jours de {a} heures, avec deux personnes au maximum par patient.</p><p>Les enfants de moins de {b} ans sont accompagnés. Reportez votre visite si vous êtes malade.</p>"
BESUCH = "<p>Besuch ist jeden Tag von {a} Uhr willkommen, höchstens {b} Personen zugleich.</p><p>Wer krank ist, kommt bitte an einem anderen Tag. Haustiere bleiben draußen.</p>"
VISIT = "<p>Visitors are welcome every day from {a}, at most {b} people at the bedside.</p><p>Please stay at home when you are ill. Guide dogs may come in, other pets may not.</p>"
VERTALING = "<p>Spreekt u onze taal niet, dan helpt een tolk u {a}. Vraag ernaar bij het maken van uw afspraak, minstens {b} dagen vooraf.</p>"
BLOED = "<p>Voor een bloedafname hoeft u geen afspraak te maken. Kom nuchter, tenzij uw arts iets anders zegt.</p><p>De prikdienst is open van {a} uur. Neem een nummer aan de zuil in gang {b}.</p>"
#: The same pages written anew.
ANEW = {
    BEZOEK: "<p>Wie opgenomen is, ontvangt graag bezoek. Tussen {a} uur staan onze deuren open. Per kamer zijn {b} bezoekers tegelijk toegelaten.</p><p>Verkouden of koorts? Blijf dan thuis en bel liever even.</p>",
    DARM: "<p>Bij een coloscopie bekijkt de maag-darmarts uw dikke darm van binnen met een dunne camera.</p><h2>Zo bereidt u zich voor</h2><p>Volg {a} dagen een vezelarm dieet en drink {b} liter laxeermiddel in twee keer.</p><h2>Na het onderzoek</h2><p>Laat u naar huis brengen: zelf met de auto rijden mag pas de volgende dag.</p>",
    OPNAME: "<p>Welkom. Op de dag van uw opname gaat u eerst langs de inschrijvingen in de inkomhal, om {b} uur.</p><p>Vergeet uw identiteitskaart niet, en de lijst van uw medicatie. Voor een kamer alleen betaalt u een voorschot van {a} euro.</p>",
    HEUP: "<p>Een versleten heupgewricht maakt plaats voor een kunstgewricht, de heupprothese. Reken op {a} nachten in het ziekenhuis. U stapt dezelfde dag nog met krukken.</p><h2>Weer thuis</h2><p>Gedurende {b} weken oefent u met de kinesist.</p>",
    TEL: "<p>Voor een eerste raadpleging vragen wij een verwijsbrief. Maak uw afspraak online of bel ons op {a}, van {b} uur.</p><p>Denk aan uw identiteitskaart en een overzicht van de geneesmiddelen die u neemt.</p>",
}


def meta(day: str) -> str:
    return f"<meta property='article:modified_time' content='{day}T09:00:00+01:00'>"


def foot(text: str) -> str:
    return f"<footer>{text}</footer>"


def page(title, path, dated, template, a, b, *, top="", language="nl"):  # noqa: PLR0913
    """Return title, path, language and HTML of a page."""
    head, end = (dated, "") if dated.startswith("<meta") else ("", dated)
    body = template.format(a=a, b=b)
    html = f"<html lang={language}><head><title>{title}</title>{head}</head><body><nav><a href=/>Start</a><a href=/zorg>Zorg</a></nav><main><h1>{title}</h1>{top}{body}</main>{end}</body></html>"
    return title, path, language, html, template, (a, b)


def anew(made):
    """Return a page with its text written anew."""
    title, path, language, html, template, (a, b) = made
    before, after = template.format(a=a, b=b), ANEW.get(template, template).format(a=a, b=b)
    return title, path, language, html.replace(before, after), template, (a, b)


#: An outdated page and its successor.
OUTDATED = [
    (page("Bezoekuren", "bezoekuren-2019.html", "", BEZOEK, "14 tot 19", 2),
     page("Bezoekuren", "bezoek.html", foot("Laatst bijgewerkt op 3 maart 2025"), BEZOEK, "14 tot 20", 3)),
    (page("Bezoekuren", "archief/bezoekuren.html", foot("Laatst bijgewerkt: 12/03/2020"), BEZOEK, "15 tot 20", 4),
     page("Bezoekuren", "praktisch/bezoekuren.html", meta("2026-02-01"), BEZOEK, "13 tot 20", 2)),
    (page("Brochure coloscopie", "brochures/coloscopie.html", foot("Versie 2018-05"), DARM, 3, 4),
     page("Coloscopie", "onderzoeken/coloscopie.html", foot("Versie 2024-01"), DARM, 2, 2)),
    (page("MRI-scan", "mri_2016.html", "", SCAN, 45, "089 80 10 10"),
     page("MRI-scan", "mri.html", meta("2025-01-15"), SCAN, 30, "089 32 15 15")),
    (page("Pijn na een operatie", "pijn-v1.html", "", PIJN, 4, 6),
     page("Pijn na een operatie", "pijn-v2.html", "", PIJN, 6, 4)),
    (page("Pijn na uw operatie (versie 2)", "pijn.html", "", PIJN, 4, 8),
     page("Pijn na uw operatie (versie 3)", "pijn-nieuw.html", "", PIJN, 6, 6)),
    (page("Parkeren", "parkeren-2021.html", "", PARK, "1,50", "9,00"),
     page("Parkeren", "praktisch/parkeren.html", foot("Herzien juni 2025"), PARK, "2,00", "12,50")),
    (page("Tarieven parking 2020", "parking2020.html", "", PARK, "1,00", "8,00"),
     page("Tarieven parking 2025", "parking2025.html", "", PARK, "2,00", "12,00")),
    (page("Cardiologie", "folders/cardiologie.html", foot("Uitgave 2018"), TEL, "089 80 19 03", "9 tot 16"),
     page("Cardiologie", "afdelingen/cardiologie.html", meta("2025-05-05"), TEL, "089 32 51 03", "8.30 tot 17")),
    (page("Urologie", "urologie.html", foot("Laatste wijziging: 4 mei 2017"), TEL, "089 80 20 20", "9 tot 12"),
     page("Dienst urologie", "dienst/urologie.html", foot("Laatste wijziging: 9 juni 2026"), TEL, "089 32 20 20", "8 tot 16")),
    (page("Heupprothese", "heup_20170901.html", "", HEUP, 7, 12),
     page("Heupprothese", "heup_20240110.html", "", HEUP, 2, 6)),
    (page("Een nieuwe heup", "heup1.html", meta("2015-04-04"), HEUP, 9, 12),
     page("Heupprothese", "heup2.html", meta("2024-04-04"), HEUP, 2, 6)),
    (page("Heures de visite", "fr/visites-2019.html", "", VISITE, "14 à 19", 10, language="fr"),
     page("Heures de visite", "fr/visites.html", foot("Dernière mise à jour : 14 février 2025"), VISITE, "14 à 20", 12, language="fr")),
    (page("Les heures de visite", "fr/visiter.html", foot("Mis à jour le 3 mai 2018"), VISITE, "15 à 19", 14, language="fr"),
     page("Heures de visite", "fr/visites.html", meta("2023-05-05"), VISITE, "14 à 20", 12, language="fr")),
    (page("Besuchszeiten", "de/besuch.html", foot("Stand: März 2019"), BESUCH, "14 bis 18", 2, language="de"),
     page("Besuchszeiten", "de/besuchszeiten.html", foot("Stand: April 2025"), BESUCH, "14 bis 20", 3, language="de")),
    (page("Visiting hours", "en/visiting-2018.html", "", VISIT, "2 to 7 pm", 2, language="en"),
     page("Visiting hours", "en/visiting.html", foot("Last updated March 4, 2024"), VISIT, "2 to 8 pm", 3, language="en")),
    (page("Tolken", "tolk.html", foot("Versie 03/2018"), VERTALING, "gratis", 5),
     page("Tolken", "diensten/tolken.html", foot("Versie 06/2025"), VERTALING, "tegen betaling", 3)),
    (page("Bloedafname", "bloedafname.html", foot("Bijgewerkt op 1 september 2019"), BLOED, "7.30 tot 16", 4),
     page("Bloedafname", "prikdienst/bloedafname.html", foot("Bijgewerkt op 1 september 2025"), BLOED, "7 tot 18", 6)),
    (page("Bezoek bij cardiologie", "cardio/bezoek-2018.html", "", BEZOEK, "14 tot 19", 2),
     page("Bezoek bij cardiologie", "cardio/bezoek.html", meta("2025-01-01"), BEZOEK, "14 tot 20", 2)),
    (page("Coloscopie (v1)", "colo1.html", "", DARM, 4, 4),
     page("Coloscopie (v4)", "colo4.html", "", DARM, 2, 2)),
]  # fmt: skip
#: Every second successor says it in other words.
OUTDATED = [(older, anew(newer) if at % 2 else newer) for at, (older, newer) in enumerate(OUTDATED)]

NOORD, ZUID = "<h2>Campus Noord</h2>", "<h2>Campus Zuid</h2>"
OLD, NEW = meta("2019-01-01"), meta("2025-01-01")


def two(title, other, template, *, paths=("a.html", "b.html"), tops=("", ""),
        values=(("1", "2"), ("3", "4"))):  # fmt: skip
    """Return two pages of which the first is older, and neither is outdated."""
    one, second = values
    return (page(title, paths[0], OLD, template, *one, top=tops[0]),
            page(other, paths[1], NEW, template, *second, top=tops[1]))  # fmt: skip


PHONES = (("089 32 51 03", "9 tot 12"), ("089 32 44 44", "8 tot 17"))
#: For another campus, ward, medicine or age, or about another thing.
LOOK_ALIKES = [
    two("Bezoek op campus Noord", "Bezoek op campus Zuid", BEZOEK),
    two("Parkeren", "Parkeren", PARK, tops=(NOORD, ZUID)),
    two("Bloedafname", "Bloedafname", BLOED, tops=(NOORD, ZUID)),
    two("Bloedafname", "Bloedafname", BLOED, paths=("campus-noord/bloedafname.html", "campus-zuid/bloedafname.html")),
    two("Wifi", "Wifi", WIFI, tops=("<p>Dit geldt op campus Noord.</p>", "<p>Dit geldt op campus Zuid.</p>")),
    two("Opname", "Opname", OPNAME, tops=("<p>U meldt zich op Campus Noord.</p>", "<p>U meldt zich op Campus Zuid.</p>")),
    two("Bezoekuren", "Bezoekuren", BEZOEK, tops=("<h2>Campus Noord en haar cafetaria</h2>", ZUID)),
    two("Bezoek bij cardiologie", "Bezoek bij neurologie", BEZOEK),
    two("Bezoekuren", "Bezoekuren", BEZOEK, tops=("<h2>Cardiologie</h2>", "<h2>Neurologie</h2>")),
    two("Bezoekuren", "Bezoekuren", BEZOEK, paths=("afdelingen/cardiologie/bezoek.html", "afdelingen/pediatrie/bezoek.html")),
    two("Contact", "Contact", TEL, values=PHONES),
    two("Onthaalbrochure", "Onthaalbrochure", OPNAME, tops=("<h2>Welkom op cardiologie</h2>", "<h2>Welkom op urologie</h2>")),
    two("Welkom", "Welkom", BEZOEK, tops=("<p>U verblijft op de dienst neurologie.</p>", "<p>U verblijft op de dienst urologie.</p>")),
    two("Pijnstilling bij volwassenen", "Pijnstilling bij kinderen", PIJN),
    two("Pijnstilling", "Pijnstilling", PIJN, tops=("<h2>Volwassenen</h2>", "<h2>Kinderen</h2>")),
    two("Coloscopie", "Coloscopie", DARM, tops=("<p>Deze folder is voor kinderen en hun ouders.</p>", "<p>Deze folder is voor volwassenen.</p>")),
    two("Dosering ibuprofen", "Dosering paracetamol", PIJN),
    two("Coloscopie", "Gastroscopie", DARM),
    two("Bezoekuren", "Wifi", WIFI),
    (page("Bezoekuren", "jong.html", meta("2025-01-01"), BEZOEK, "14 tot 19", 2),
     page("Bezoekuren", "ook-jong.html", meta("2025-02-01"), BEZOEK, "14 tot 20", 3)),
]  # fmt: skip


def moved(title, other, at, old="089 32 99 01", new="089 32 51 03"):
    """Return a page with a number of nobody at one campus, and a later one at the other campus."""
    there, here = (ZUID, NOORD) if at == "noord" else (NOORD, ZUID)
    return (
        page(title, "oud.html", meta("2020-05-01"), TEL, old, "8 tot 17", top=there),
        page(other, "nieuw.html", meta("2025-05-01"), TEL, new, "9 tot 16", top=here),
    )


#: Of a service that moved, and where it is now; and of services at both campuses, or nobody knows where.
MOVED = [
    moved("Cardiologie", "Cardiologie", "noord"),
    moved("Brochure cardiologie", "Cardiologie", "noord"),
    moved("Cardiologie 2019", "Cardiologie", "noord", old="089 32 99 03"),
]
STAYED = [
    moved("Urologie", "Urologie", "noord", new="089 32 20 20"),
    moved("Brochure urologie", "Urologie", "zuid", new="089 32 20 20"),
    moved("Neurologie", "Neurologie", "noord", new="089 32 44 44"),
    moved("Cardiologie", "Cardiologie", "noord", old="089 32 44 44"),
]
