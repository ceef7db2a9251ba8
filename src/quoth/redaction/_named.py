"""Values that only the name beside them gives away: variables, fields, flags."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass

from ._rule import FAILED, Found, Rule, Words, anchored
from ._secret_names import KEYS, Sure, sureness
from ._values import (
    is_code,
    is_gibberish,
    is_issued,
    is_joined,
    is_literal,
    is_mixed,
    is_word,
)

__all__ = ["SENSITIVE_NAMES"]

_NAME_CHARS = string.ascii_letters + string.digits + "_.-$"
_LONGEST = 48
"""Characters of a name before the key in it."""

_LEAD = 128
"""Characters before the name that may tell what kind of text it is in."""

_JUDGED = 256
"""Characters of a value that are looked at, however long it is."""

_BLANK = r"[ \t]{0,24}+"
_MADE = (
    r"(?>(?:(?:String::from|(?:aws|pulumi)\.String|SecretStr(?:ing)?|Buffer\.from"
    r"|new [A-Z]\w{2,24})\(|ConvertTo-SecureString[ ](?:-String[ ])?"
    r"|[Nbu@](?=[\"']))?)"
)
"""What makes a value of the text in quotes behind it."""
_OPEN = rf"{_MADE}\\{{0,3}}"
_QUOTED = (
    rf"{_OPEN}(?:\"((?>(?:[^\"\\\n]|\\{{1,4}}[^\"\\\n]){{1,4096}}))"
    rf"|'((?>(?:[^'\\\n]|\\{{1,4}}[^'\\\n]){{1,4096}}))"
    r"|`([^`\\\n]{1,4096}+)"
    r"|&(?:quot|#34|#39|apos);([^\s&\"'<>]{1,512}+))"
)
_CLOSED = (
    rf"{_OPEN}(?:\"((?! )(?>(?:[^\"\\\n]|\\{{1,4}}[^\"\\\n]){{1,256}})(?<! ))"
    r"(?=\\{0,3}\"|\Z)"
    r"|'((?! )[^'\\\n]{1,256}+(?<! ))(?=\\{0,3}'|\Z)"
    r"|`((?! )[^`\\\n]{1,256}+(?<! ))(?=`|\Z))"
)
"""In two quotes, where a single one may be the end of something else."""
_BARE = r"((?![=:<>+-])[^\s\"'`,;<>(){}\[\]|&\\]{1,4096}+)"

_TYPE = (
    r"(?>(?:(?::[ ]{0,2}|[ ](?i:as)[ ])[A-Za-z][A-Za-z0-9_.<>?\[\]]{0,32}[ ]{0,2}"
    r"(?==[^=]))?)"
)
_SIGN = rf"{_BLANK}(?:[=-]>|<-|[:?]{{0,3}}=(?!=)|:(?!:))(?:\*{{1,2}}(?=[ ]))?{_BLANK}"
_LISTED = (
    r"[ \t]{0,4}[,{]?(?:\\{1,3}n|\r?\n)?[ \t]{0,40}+\\{0,3}[\"']?"
    r"(?i:value|default)\\{0,3}[\"']?[ \t]{0,2}[:=][ \t]{0,2}"
)
"""Between a name in a list and its value: `{"name": "X", "value": "..."}`."""
_ARGUMENT = (
    rf"{_BLANK},{_BLANK}|\([ \t]{{0,2}}|[ \t]{{0,2}}[!=]={{1,2}}[ \t]{{0,2}}"
    r"|\)?[ \t]{1,2}(?:or|\|\||\?\?)[ \t]{1,2}"
)
_STATEMENT = re.compile(
    r"(?P<behind>(?:(?i:identified by|connection string))?"
    r"[A-Za-z0-9_]{0,32}+(?>(?:[.-][A-Za-z0-9_]{1,24}+){0,2}))"
    r"(?:\\{0,3}[\"'`]|\*{1,2})?[\])]?"
    rf"(?:{_TYPE}(?P<sign>{_SIGN})(?:{_QUOTED}|{_BARE})"
    rf"|(?P<listed>{_LISTED})(?:{_QUOTED}|{_BARE})"
    rf"|(?P<argument>{_ARGUMENT}){_CLOSED}"
    r"|(?P<element>>)([^\s<>]{4,512}+)(?:(?=<)|(?<=\.\.\.)\Z|(?<=…)\Z)"
    rf"|(?P<cell>[ \t]{{0,8}}\|[ \t]{{1,8}}){_BARE}"
    r"|(?P<gap>[ \t]{1,3}(?:(?:is|was|to)[ :]{1,2}|[0-9][ ])?)"
    rf"(?:{_CLOSED}|{_BARE}))"
)
"""A name from the key in it to the end of its value, in any notation."""
_CALLED = frozenset("()[]=")
_QUOTES = frozenset("\"'`;")
_SQL = frozenset({"identified by", "password"})
_FORMS = ("sign", "argument", "listed", "element", "cell", "gap")

_ISSUED = re.compile(
    r"(?>(?:[ _-]{0,2}(?i:key|token|id|secret|access|private)){0,2})"
    r"(?![A-Za-z0-9+/])(?:\\{0,3}[\"'])?[ \t]{0,4}(?:(?:is|was) |[=:>_-]{0,2})"
    r"[ \t]{0,2}[\"']?"
    r"(?P<value>[A-Za-z0-9+/_.~=$-]{15,4096}+)"
)
"""What a machine drew, right behind a key: `acme SECRET 8gNfR3...`, `token-1f3a...`"""

_PASSING = re.compile(r"(?i:pass(?:ed|es|ing)\b)")
"""What a test does, thousands of times in a log."""

_NETRC = re.compile(
    r"(?ai:(?:\bmachine\s{1,8}\S{1,253}|(?:\A|\n)[ \t]{0,8}default)"
    r"(?:\s{1,8}(?:login|account)\s{1,8}\S{1,128}){1,2}\s{1,8}\Z)"
)
_SET_BY = re.compile(
    r"(?:\A|[\n;&|(])[ \t]{0,8}(?:(?:ENV|ARG|setx|setenv|set -[a-zA-Z]{1,3}"
    r"|(?:aws|git|npm) config[a-z -]{0,24})"
    r"[ \t]{1,4}(?:/?[A-Za-z:./-]{1,64}[.:_])?)\Z"
)
"""A command or a directive that takes a name, a blank and the value."""
_DSN = re.compile(r"\b(?:host|user|dbname|port)=[^\s=,(){}\"'`]{1,128} {1,2}\Z")
_SPOKEN = ("pass", "pwd", "secret", "token", "key", "credential")
_LAST = ("word", "wd", "phrase", "secret", "token", "key", "pass", "by")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Statement:
    """A name and a value, and how they are joined."""

    name: str
    form: str
    joint: str
    value: str
    quote: str
    lead: str
    then: str

    @property
    def quoted(self) -> bool:
        """Whether the value stands in quotes."""
        return self.quote != ""

    @property
    def before(self) -> str:
        """The character before the name, if there is one."""
        return self.lead[-1:]

    @property
    def is_variable(self) -> bool:
        """Whether it is set as in a shell or an env file: `DB_PASSWORD=...`."""
        return self.name.isupper() and (
            self.joint in {"=", ":=", "?="}
            or (self.joint == ": " and "_" in self.name and self.is_last)
        )

    @property
    def is_last(self) -> bool:
        """Whether the line ends with the value."""
        return self.then in {"", "\n", "\r"}

    @property
    def is_property(self) -> bool:
        """Whether it is a line of settings: `spring.datasource.password=x`."""
        first, dot, _ = self.name.partition(".")
        if self.joint != "=" or first in {"self", "this", "cls"}:
            return False
        is_line = self.before in {"", "\n"} and self.is_last
        return bool(dot) and (is_line or first.startswith("-D"))

    @property
    def is_flag(self) -> bool:
        """Whether the value follows a blank by rights: `--password x`, SQL."""
        return (
            self.name.startswith("-")
            or bool(_SET_BY.search(self.lead))
            or self.name == "IDENTIFIED BY"
            or (self.quote in {"'", '"'} and self.name.lower() in _SQL)
        )

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
        return self.form == "sign" and (
            (self.then == ";" and self.before in {";", '"'})
            or (self.joint == "=" and bool(_DSN.search(self.lead)))
        )

    @property
    def ends_in_key(self) -> bool:
        """Whether nothing follows the telling word: no `password.encode(`."""
        return self.name.lower().endswith(_LAST)

    @property
    def is_program(self) -> bool:
        """Whether the value is an expression rather than a text without quotes."""
        if self.form == "gap" and self.quote == "`":
            return not _CALLED.isdisjoint(self.value)
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
            or (
                said.joint.startswith("(")
                and not said.name.lower().endswith("pass")
                and _is_chosen(said.value)
            )
        )
    if said.form == "gap":
        return _follows(said)
    if said.is_variable or said.is_in_connection or said.is_element:
        return len(said.value) >= 4
    if said.is_property:
        return _is_chosen(said.value)
    if said.quoted:
        return _is_chosen(said.value) or _is_typed(said.value, least=4)
    return _is_typed(said.value, least=5)


def _follows(said: _Statement) -> bool:
    """Whether a password follows its name after a blank."""
    if said.name.lower() == "pass":  # The verb.
        return False
    if said.name.lower() == "identified by" and not said.is_flag:
        return False
    if not said.quoted:
        return (said.is_flag or said.is_told) and _is_typed(said.value, least=6)
    if said.is_flag:
        return said.name.startswith("--passphrase") or _is_chosen(said.value)
    return _is_typed(said.value, least=6) or (said.is_told and _is_chosen(said.value))


def _is_typed(value: str, *, least: int) -> bool:
    """Whether no name, no word and no sentence would be written so."""
    if (figures := value.rstrip(".")).isdigit():
        return len(figures) >= least
    if is_gibberish(value):
        return True
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
    if said.quoted and is_gibberish(said.value):
        return True
    if " " in said.value or (said.form == "gap" and not (said.is_flag or said.is_told)):
        return False
    if not said.value.isascii():
        return False
    return is_mixed(said.value, least=8) and not is_word(said.value)


def _is_drawn(said: _Statement) -> bool:
    said_so = said.form in {"sign", "argument", "listed"} or (
        said.form == "gap" and bool(said.joint.strip())
    )
    return said_so and is_issued(said.value, least=12) and not is_joined(said.value)


_TESTS = {Sure.ANY: _is_password, Sure.MIXED: _is_token, Sure.DRAWN: _is_drawn}


def _find(text: str, start: int) -> Found:
    """Find the value of the name that has the key at *start* in it."""
    if _PASSING.match(text, start) or _is_user(text, start):
        return Found(0, 0, FAILED)
    match = _STATEMENT.match(text, start)
    if match and _is_secret(match):
        return Found(*match.span(match.lastindex or 0), FAILED + match.end() - start)
    issued = _ISSUED.match(text, start)
    if issued and _is_made(issued["value"][:_JUDGED]) and _is_named(issued):
        return Found(*issued.span("value"), FAILED + issued.end() - start)
    reached = max(found.end() if found else start for found in (match, issued))
    return Found(0, 0, FAILED + reached - start)


def _is_made(value: str) -> bool:
    """Whether a machine made it: no name of a function, which may hold figures."""
    return is_issued(value) and not (
        is_joined(value)
        or ("_" in value and any(map(str.isdigit, value)) and is_word(value))
    )


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
        quote=text[first - 1] if text[first - 1] in _QUOTES else "",
        lead=text[max(0, start - len(name) - _LEAD) : start - len(name)],
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


def _is_passed(match: re.Match[str]) -> bool:
    """Whether the last argument is a password that somebody chose."""
    value = match[match.lastindex or 0]
    return _is_typed(value, least=5) and is_literal(value)


def _is_written(match: re.Match[str]) -> bool:
    return _is_typed(match[1], least=6) and is_literal(match[1])


_WORD = r"[^\s\"'`;|&]"
_COMMANDS = (
    *("sshpass", "mysql", "redis-cli", "docker login", "keytool", "openssl", "unzip"),
    *("zip", "7z ", "htpasswd", "ldapsearch", "net user", "net use"),
    *(
        "psexec",
        "PsExec",
        "PSEXEC",
        "requirepass",
        "masterauth",
        "snmp-server community",
    ),
)
_COMMAND = (
    r"(?:sshpass(?: -[ve])? -p ?|redis-cli[^\n|;]{0,80}? -a "
    r"|docker login[^\n|;]{0,80}? -p |mysql[a-z]{0,8}[^\n|;]{0,80}? -p"
    r"|keytool [^\n|;]{0,120}? -(?:store|key|new)pass |openssl [^\n|;]{0,120}? pass:"
    r"|(?:un)?zip [^\n|;]{0,80}?-P |7z [a-z] [^\n|;]{0,80}?-p"
    r"|htpasswd -[a-z]{0,8}b[a-z]{0,8} \S{1,80} \S{1,64} "
    r"|ldapsearch [^\n|;]{0,120}? -w |(?i:psexec)[^\n|;]{0,120}? -p "
    r"|net user [^\s/]{1,64} (?=[^\n]{1,80} /add)"
    r"|net use [^\n|;]{1,120}? /user:\S{1,64} "
    r"|(?:requirepass|masterauth|snmp-server community) )[\"']?"
)
"""A command up to the password that it is given without a name."""

_STRING = r"(?:\"[^\"\n]{0,120}+\"|'[^'\n]{0,120}+')"
_NEXT = r",[ ]{0,2}"
_CALLS = (
    *("auth=(", "auth = (", "basicauth(", "digestauth(", "passwordcredentials("),
    "networkcredential(",
    *("mysqli_connect(", "mysqli(", "new pdo(", "getconnection(", "wifi.begin("),
    "convertto-securestring",
)
_CALL = (
    r"(?:(?:auth ?= ?|(?:basic|digest)auth|(?:password|network)credentials?"
    r"|wifi\.begin)"
    rf"\({_STRING}{_NEXT}"
    r"|convertto-securestring (?:-string )?"
    rf"|mysqli(?:_connect)?\((?:{_STRING}|\$\w{{1,32}}){_NEXT}{_STRING}{_NEXT}"
    rf"|(?:new pdo|getconnection)\((?:{_STRING}|\$?\w{{1,32}}){_NEXT}{_STRING}{_NEXT})"
)
"""A call up to the password, which stands behind the name of a user."""

_FOREIGN = (
    *("密码", "密碼", "口令", "パスワード", "비밀번호", "пароль", "Пароль", "ПАРОЛЬ"),
)
_ACCENTED = ("contrase", "mot de passe")
_GIVEN = (
    r"[\"'`]?[ \t]{0,3}(?:[:=\uff1a\uff1d]|是|は|为|es |est )[ \t]{0,3}[\"'`「“]?"
    r"([!-~]{6,64}+)"
)

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
        keys=_COMMANDS,
        find=anchored(rf"{_COMMAND}({_WORD}{{4,256}}+)", _is_given),
        spreads=True,
    ),
    Rule(
        name="sensitive_env_vars",
        keys=_CALLS,
        any_case=True,
        edge=False,
        find=anchored(
            rf"(?i:{_CALL})(?:\"([^\"\\\n]{{1,128}}+)\"|'([^'\\\n]{{1,128}}+)')",
            _is_passed,
        ),
        spreads=True,
    ),
    Rule(
        name="sensitive_env_vars",
        keys=_ACCENTED,
        any_case=True,
        find=anchored(rf"(?i:contraseña|mot de passe){_GIVEN}", _is_written),
        spreads=True,
    ),
    Rule(
        name="sensitive_env_vars",
        keys=(),
        scan=Words(_FOREIGN),
        edge=False,
        find=anchored(rf"(?:{'|'.join(_FOREIGN)}){_GIVEN}", _is_written),
        spreads=True,
    ),
)
