"""The words people use for dates, each with the sign that the rules know it by."""

# ruff: noqa: SIM905 - lists of words are read and edited as text

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = [
    "ALSO_OTHERWISE",
    "COUNTED",
    "ENGLISH",
    "FRAME",
    "FRENCH",
    "FRENCH_ONLY",
    "GERMAN",
    "LANGUAGES",
    "LONGEST_IDIOM",
    "ORDINARY",
    "SHORT_DAYS",
    "SPANISH",
]


def _numbered(words: str, letter: str, first: int = 1) -> dict[str, str]:
    """Return a sign for each of *words*; those with a slash mean the same."""
    return {
        word: f"{letter}{number}"
        for number, group in enumerate(words.split(), first)
        for word in group.split("/")
    }


def _same(**signs: str) -> dict[str, str]:
    """Return a table from its inverse; a space in a word is written as `_`."""
    return {
        word.replace("_", " "): sign.rstrip("_").replace("__", "-")
        for sign, words in signs.items()
        for word in words.split()
    }


ENGLISH: Final = {
    **_numbered(
        "one two three four five six seven eight nine ten eleven twelve thirteen "
        "fourteen fifteen sixteen seventeen eighteen nineteen twenty",
        "w",
    ),
    **_numbered(
        "first second third fourth fifth sixth seventh eighth ninth tenth", "t"
    ),
    **_numbered(
        "january/jan february/feb march/mar april/apr may june/jun july/jul "
        "august/aug september/sep/sept october/oct november/nov december/dec",
        "m",
    ),
    **_numbered(
        "monday/mon tuesday/tue/tues wednesday/wed thursday/thu/thur/thurs "
        "friday/fri saturday/sat sunday/sun",
        "d",
        0,
    ),
    **_numbered("q1 q2 q3 q4", "q"),
    **{
        word: word
        for word in (
            "a the last past this ago and to or so half earlier many how between "
            "in on at during from of for over since before after until by when we "
            "day days week weeks month months year years hour hours weekend quarter "
            "next you"
        ).split()
    },
    **_same(
        a="an",
        until="till up_to",
        to="- \u2013 through",
        in_="within throughout",
        few="a_few few",
        couple="a_couple_of a_couple couple_of",
        several="several",
        about="about around roughly approximately almost nearly",
        over="more_than",
        early="early beginning_of start_of early- early_in beginning",
        mid="mid middle_of mid- mid_to_late",
        late="late end_of late- late_in",
        tod="morning afternoon evening night noon",
        day0="today",
        day__1="yesterday",
        day__2="the_day_before_yesterday day_before_yesterday",
        tonight="tonight",
        lastnight="last_night yesterday_night",
        morning="this_morning",
        noon="this_afternoon",
        evening="this_evening",
        poss="my his her their its your",
        our="our",
        session="session conversation chat discussion",
        sessions="sessions conversations chats discussions",
        previous="previous latest most_recent",
        time="time",
        talked="talked spoke chatted talk speak discussed",
        with_="with",
        every="every each",
    ),
}
GERMAN: Final = {
    **_numbered(
        "ein/eine/einem/einer/einen zwei drei vier fünf sechs sieben acht neun "
        "zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn "
        "achtzehn neunzehn zwanzig",
        "w",
    ),
    **_numbered(
        "januar februar märz april mai juni juli august september oktober "
        "november dezember",
        "m",
    ),
    **_numbered(
        "montag dienstag mittwoch donnerstag freitag samstag/sonnabend sonntag", "d", 0
    ),
    **_same(
        the="der die das dem den des",
        in_="im in während",
        on="am vom zum",
        since="seit",
        until="bis",
        after="nach",
        vor="vor",
        between="zwischen",
        and_="und",
        last="letzter letzte letzten letztes letztem vergangene vergangenen vorige "
        "vorigen voriges vergangenes",
        this="diese diesen diesem dieser dieses",
        day="tag",
        days="tage tagen",
        week="woche",
        weeks="wochen",
        month="monat",
        months="monate monaten",
        year="jahr jahres",
        years="jahre jahren",
        hour="stunde",
        hours="stunden",
        weekend="wochenende",
        few="ein_paar einigen",
        day0="heute",
        day__1="gestern",
        day__2="vorgestern",
        morning="heute_morgen",
        lastnight="letzte_nacht gestern_abend",
        early="anfang",
        mid="mitte",
        late="ende",
        about="etwa ungefähr circa",
    ),
}
FRENCH: Final = {
    **_numbered(
        "un/une deux trois quatre cinq six sept huit neuf dix onze douze treize "
        "quatorze quinze seize",
        "w",
    ),
    **_numbered(
        "janvier février mars avril mai juin juillet août septembre octobre "
        "novembre décembre",
        "m",
    ),
    **_numbered("lundi mardi mercredi jeudi vendredi samedi dimanche", "d", 0),
    **_same(
        the="la les l' cette",
        on="le du au",
        in_="en pendant dans",
        since="depuis",
        until="jusqu'_en jusqu'_au jusqu'à",
        before="avant",
        after="après",
        between="entre",
        and_="et",
        vor="il_y_a",
        lastp="dernier dernière passé passée",
        last="derniers dernières",
        day="jour",
        days="jours",
        week="semaine",
        weeks="semaines",
        month="mois",
        year="an année",
        years="ans années",
        hour="heure",
        hours="heures",
        few="quelques",
        day0="aujourd'hui",
        day__1="hier d'_hier",
        day__2="avant-hier",
        lastnight="hier_soir",
        morning="ce_matin",
        early="début",
        late="fin",
        about="environ",
    ),
}
SPANISH: Final = {
    **_numbered(
        "un/una/uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece "
        "catorce quince dieciséis diecisiete dieciocho diecinueve veinte",
        "w",
    ),
    **_numbered(
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre "
        "noviembre diciembre",
        "m",
    ),
    **_numbered("lunes martes miércoles jueves viernes sábado domingo", "d", 0),
    **_same(
        the="la las los",
        on="el del al",
        in_="en durante",
        of="de",
        since="desde",
        until="hasta",
        before="antes_de antes_del",
        after="después_de después_del",
        between="entre",
        and_="y",
        vor="hace",
        lastp="pasado pasada",
        last="últimos últimas",
        day="día",
        days="días",
        week="semana",
        weeks="semanas",
        month="mes",
        months="meses",
        year="año",
        years="años",
        hour="hora",
        hours="horas",
        few="unos unas algunos algunas",
        day0="hoy",
        day__1="ayer",
        day__2="anteayer",
        lastnight="anoche",
        morning="esta_mañana",
        this="este esta",
        early="principios_de",
        late="finales_de",
    ),
}
LANGUAGES: Final[tuple[Mapping[str, str], ...]] = (
    ENGLISH,
    GERMAN,
    FRENCH,
    SPANISH,
)

FRAME: Final = frozenset(
    "about for regarding concerning with on at to from of and or when where what who "
    "which how why that i we you he she they it did do was were is are in by after "
    "before not but then as if because".split()
)
"""Words that go on after a date; another may be what a number or "may" belongs to."""
ORDINARY: Final = frozenset(("may", "march", "mar"))
SHORT_DAYS: Final = frozenset("mon tue tues wed thu thur thurs fri sat sun jan".split())
FRENCH_ONLY: Final = frozenset(
    "le la les nous on j'ai qu'est-ce que qui est avons quoi ce dit du des pour "
    "depuis avant après entre au dernier dernière passé".split()
)
ALSO_OTHERWISE: Final = frozenset(
    "hier lundi mardi mercredi jeudi vendredi samedi dimanche".split()
)
"""Words that are French dates only among other French words: German has a hier, too."""
COUNTED: Final = frozenset(
    "words ways characters tokens lines rows steps iterations requests days weeks "
    "months years hours minutes seconds ms times people users euros dollars km miles "
    "calories records items files entries epochs samples points questions messages "
    "pages bytes mb gb kb meters pieces parts".split()
)
LONGEST_IDIOM: Final = 4
