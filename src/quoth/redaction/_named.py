"""Values that only the name beside them gives away: variables, fields, flags."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass

from ._rule import FAILED, Found, Rule, anchored
from ._secret_names import KEYS, Sure, sureness
from ._values import is_code, is_issued, is_literal, is_mixed, is_word

__all__ = ["SENSITIVE_NAMES"]

_NAME_CHARS = string.ascii_letters + string.digits + "_.-$"
_LONGEST = 48
"""Characters of a name before the key in it."""

_JUDGED = 256
"""Characters of a value that are looked at, however long it is."""

_BLANK = r"[ \t]{0,8}+"
_OPEN = r"\\{0,3}"
_QUOTED = (
    rf"{_OPEN}(?:\"((?>(?:[^\"\\\n]|\\{{1,4}}[^\"\\\n]){{1,4096}}))"
    rf"|'((?>(?:[^'\\\n]|\\{{1,4}}[^'\\\n]){{1,4096}}))"
    r"|`([^`\\\n]{1,4096}+)"
    r"|&(?:quot|#34|#39|apos);([^\s&\"'<>]{1,512}+))"
)
_CLOSED = (
    rf"{_OPEN}(?:\"((?! )(?>(?:[^\"\\\n]|\\{{1,4}}[^\"\\\n]){{1,256}})(?<! ))"
    r"(?=\\{0,3}\"|\Z)"
    r"|'((?! )[^'\\\n]{1,256}+(?<! ))(?=\\{0,3}'|\Z))"
)
"""In two quotes, where a single one may be the end of something else."""
_BARE = r"((?![=:<>+-])[^\s\"'`,;<>(){}\[\]|&\\]{1,4096}+)"

_TYPE = r"(?>(?::[ ]{0,2}[A-Za-z][A-Za-z0-9_.<>?\[\]]{0,32}[ ]{0,2}(?==[^=]))?)"
_SIGN = rf"{_BLANK}(?:[=-]>|[:?]{{0,3}}=(?!=)|:(?!:)){_BLANK}"
_ARGUMENT = (
    rf"{_BLANK},{_BLANK}|\([ \t]{{0,2}}|[ \t]{{0,2}}[!=]={{1,2}}[ \t]{{0,2}}"
    r"|\)?[ \t]{1,2}(?:or|\|\||\?\?)[ \t]{1,2}"
)
_STATEMENT = re.compile(
    r"(?P<behind>(?:(?i:identified by|connection string))?"
    r"[A-Za-z0-9_]{0,32}+(?>(?:[.-][A-Za-z0-9_]{1,24}+){0,2}))"
    r"(?:\\{0,3}[\"'`])?[\])]?"
    rf"(?:{_TYPE}(?P<sign>{_SIGN})(?:{_QUOTED}|{_BARE})"
    rf"|(?P<argument>{_ARGUMENT}){_CLOSED}"
    rf"|(?P<attribute>[ \t]{{1,4}}(?i:value)[ \t]{{0,2}}=[ \t]{{0,2}}){_QUOTED}"
    r"|(?P<element>>)([^\s<>]{4,512}+)(?:(?=<)|(?<=\.\.\.)\Z|(?<=…)\Z)"
    rf"|(?P<cell>[ \t]{{0,8}}\|[ \t]{{1,8}}){_BARE}"
    r"|(?P<gap>[ \t]{1,3}(?:(?:is|was|to)[ :]{1,2})?)"
    rf"(?:{_CLOSED}|{_BARE}))"
)
"""A name from the key in it to the end of its value, in any notation."""
_FORMS = ("sign", "argument", "attribute", "element", "cell", "gap")

_ISSUED = re.compile(
    r"(?>(?:[ _-]{0,2}(?i:key|token|id|secret|access|private)){0,2})"
    r"(?![A-Za-z0-9+/])(?:\\{0,3}[\"'])?[ \t]{0,4}[=:>_-]{0,2}[ \t]{0,2}[\"']?"
    r"(?P<value>[A-Za-z0-9+/_.~=$-]{15,4096}+)"
)
"""What a machine drew, right behind a key: `acme SECRET 8gNfR3...`, `token-1f3a...`"""

_NETRC = re.compile(r"(?ias:\bmachine\b.{0,160}\blogin\b)")
_SPOKEN = ("pass", "pwd", "secret", "token", "key", "credential")
_LAST = ("word", "wd", "phrase", "secret", "token", "key", "pass", "by")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Statement:
    """A name and a value, and how they are joined."""

    name: str
    form: str
    joint: str
    value: str
    quoted: bool
    before: str
    then: str

    @property
    def is_variable(self) -> bool:
        """Whether it is set as in a shell or an env file: `DB_PASSWORD=...`."""
        return self.joint in {"=", ":=", "?="} and self.name.isupper()

    @property
    def is_flag(self) -> bool:
        """Whether the value follows a blank by rights: `--password x`, SQL."""
        return self.name.startswith("--") or self.name.lower() == "identified by"

    @property
    def is_element(self) -> bool:
        """Whether it is the text of an element: `<password>x</password>`."""
        return self.form == "element" and self.before == "<"

    @property
    def is_told(self) -> bool:
        """Whether a verb or a tab stands between them: `the password is x`."""
        return self.form == "gap" and self.joint.strip(" ") != ""

    @property
    def is_in_connection(self) -> bool:
        """Whether it is one of several: `Server=db;Password=x;`."""
        return self.form == "sign" and self.then == ";" and self.before in {";", '"'}

    @property
    def ends_in_key(self) -> bool:
        """Whether nothing follows the telling word: no `password.encode(`."""
        return self.name.lower().endswith(_LAST)

    @property
    def is_program(self) -> bool:
        """Whether the value is an expression rather than a text without quotes."""
        if self.quoted or self.is_in_connection:
            return False
        in_code = self.form == "sign" and (
            self.joint.startswith((" ", "\t")) or self.then in {")", ",", ";"}
        )
        return self.then in {"(", "[", "{"} or (in_code and is_code(self.value))


def _is_password(said: _Statement) -> bool:
    """Whether a password is given: also a word, where nothing but it can stand."""
    if said.form == "argument":
        return said.ends_in_key and (
            _is_typed(said.value, least=6)
            or (said.joint.startswith("(") and _is_chosen(said.value))
        )
    if said.form == "gap":
        return _follows(said)
    if said.is_variable or said.is_in_connection or said.is_element:
        return len(said.value) >= 4
    if said.quoted:
        return _is_chosen(said.value) or _is_typed(said.value, least=4)
    return _is_typed(said.value, least=5)


def _follows(said: _Statement) -> bool:
    """Whether a password follows its name after a blank."""
    if not said.quoted:
        return (said.is_flag or said.is_told) and _is_typed(said.value, least=6)
    if said.is_flag:
        return said.name.startswith("--passphrase") or _is_chosen(said.value)
    return _is_typed(said.value, least=6) or (said.is_told and _is_chosen(said.value))


def _is_typed(value: str, *, least: int) -> bool:
    """Whether no name, no word and no sentence would be written so."""
    if value.isdigit():
        return len(value) >= least
    return " " not in value and is_mixed(value, least=least) and not _is_label(value)


def _is_chosen(value: str) -> bool:
    """Whether a person may have chosen the word as a password."""
    return " " not in value and len(value) >= 5 and not _is_label(value)


def _is_label(value: str) -> bool:
    """Whether it speaks of passwords or tokens: `Password:`, `old-password`."""
    seen = value.lower()
    return not any(char.isdigit() for char in seen) and any(
        spoken in seen for spoken in _SPOKEN
    )


def _is_token(said: _Statement) -> bool:
    """Whether a token is given: no word, no number, nothing a program would say."""
    if said.form == "argument":
        return is_issued(said.value)
    if " " in said.value or (said.form == "gap" and not (said.is_flag or said.is_told)):
        return False
    return is_mixed(said.value, least=8) and not is_word(said.value)


def _is_drawn(said: _Statement) -> bool:
    return said.form in {"sign", "argument"} and is_issued(said.value, least=12)


_TESTS = {Sure.ANY: _is_password, Sure.MIXED: _is_token, Sure.DRAWN: _is_drawn}


def _find(text: str, start: int) -> Found:
    """Find the value of the name that has the key at *start* in it."""
    if _is_user(text, start):
        return Found(0, 0, FAILED)
    match = _STATEMENT.match(text, start)
    if match and _is_secret(match):
        return Found(*match.span(match.lastindex or 0), FAILED + match.end() - start)
    issued = _ISSUED.match(text, start)
    if issued and is_issued(issued["value"][:_JUDGED]) and _is_named(issued):
        return Found(*issued.span("value"), FAILED + issued.end() - start)
    reached = max(found.end() if found else start for found in (match, issued))
    return Found(0, 0, FAILED + reached - start)


def _is_user(text: str, start: int) -> bool:
    """Whether the name is that of a user in an address: `https://token:x@...`."""
    before = text[max(0, start - _LONGEST) : start].rstrip(_NAME_CHARS)
    return before.endswith(("://", ":\\/\\/"))


def _is_secret(match: re.Match[str]) -> bool:
    said = _statement(match)
    sure = sureness(said.name)
    if sure is Sure.NOT or said.is_program or not is_literal(said.value):
        return False
    return _TESTS[sure](said) or (sure is Sure.ANY and _is_in_netrc(match))


def _is_named(match: re.Match[str]) -> bool:
    """Whether the words before what a machine drew are not those of a public thing."""
    name = _name_before(match) + match.string[match.start() : match.start("value")]
    return sureness(name) is not Sure.NOT


def _name_before(match: re.Match[str]) -> str:
    """Return the part of the name that stands before the key."""
    before = match.string[max(0, match.start() - _LONGEST) : match.start()]
    return before[len(before.rstrip(_NAME_CHARS)) :]


def _statement(match: re.Match[str]) -> _Statement:
    text, start = match.string, match.start()
    name = _name_before(match)
    first, last = match.span(match.lastindex or 0)
    form = next(form for form in _FORMS if match[form] is not None)
    return _Statement(
        name=name + text[start : match.end("behind")],
        form=form,
        joint=match[form],
        value=text[first : min(last, first + _JUDGED)],
        quoted=text[first - 1] in "\"'`;",
        before=text[max(0, start - len(name) - 1) : start - len(name)],
        then=text[last : last + 1],
    )


def _is_in_netrc(match: re.Match[str]) -> bool:
    """Whether a machine and a login are named before a password without a sign."""
    text, start = match.string, match.start()
    return match["gap"] is not None and bool(
        _NETRC.search(text, max(0, start - 200), start)
    )


def _is_given(match: re.Match[str]) -> bool:
    return is_literal(match[1])


SENSITIVE_NAMES = (
    Rule(
        name="sensitive_env_vars",
        keys=KEYS,
        any_case=True,
        edge=False,
        find=_find,
        spreads=True,
    ),
    Rule(
        name="sensitive_env_vars",
        keys=("sshpass", "mysql", "redis-cli", "docker login"),
        find=anchored(
            r"(?:sshpass(?: -[ve])? -p ?|redis-cli[^\n|;]{0,80}? -a |"
            r"docker login[^\n|;]{0,80}? -p |mysql[a-z]{0,8}[^\n|;]{0,80}? -p)"
            r"[\"']?([^\s\"'`;|&]{4,256}+)",
            _is_given,
        ),
        spreads=True,
    ),
)
