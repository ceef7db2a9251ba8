"""Who and where a person is: replaced in every form, and only where it is asked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.redaction import EVERYTHING, redact_text
from quoth.redaction._identity import IDENTITY_RULES

from .forms import FORMS, rest_of
from .timing import seconds_for

VALUES = [
    ("email_address", "{}@example.org", "alice.smith"),
    ("email_address", "{}@mail.example.co.uk", "o'neill+lists"),
    ("private_ip_address", "from {}", "10.20.30.40"),
    ("private_ip_address", "http://{}:8080/status", "192.168.178.20"),
    ("private_ip_address", "ping {}", "172.31.255.9"),
    ("private_ip_address", "from {} up", "169.254.12.34"),
    ("private_ip_address", "from {} dev tailscale0", "100.101.102.103"),
    ("private_ip_address", "from {}", "fd12:3456:789a::1"),
    ("private_ip_address", "from {}", "fe80::a1b2:c3d4:e5f6"),
    ("private_ip_address", "ip-{}.ec2.internal", "10-20-30-40"),
    ("linux_home_path", "/home/{}/notes/today.md", "alicesmith"),
    ("linux_home_path", "/var/home/{}/notes/today.md", "alicesmith"),
    ("linux_home_path", "file:///home/{}/notes/today.md", "alicesmith"),
    ("linux_home_path", "~{}/notes/today.md", "alicesmith"),
    ("linux_home_path", "-home-{}-notes-of-today", "alicesmith"),
    ("linux_home_path", r"\\wsl$\Ubuntu\home\{}\notes\today", "alicesmith"),
    ("linux_home_path", "/usr/home/{}/notes/today.md", "alicesmith"),
    ("linux_home_path", "/home/users/{}/notes/today.md", "alicesmith"),
    ("linux_home_path", "//wsl$/deb/home/{}/notes", "alicesmith"),
    ("linux_home_path", r"\\fileserver\home\{}\notes\today", "alicesmith"),
    ("linux_home_path", "-L/home/{}/lib and -lnotes", "alicesmith"),
    ("linux_home_path", "sftp://nas/home/{}/notes", "alicesmith"),
    ("linux_home_path", "-var-home-{}-notes-of-today", "alicesmith"),
    ("macos_home_path", "/Users/{}/notes/today.md", "alicesmith"),
    ("macos_home_path", "vscode://file/Users/{}/notes/today.md", "alicesmith"),
    ("macos_home_path", "file://nas/Users/{}/notes", "alicesmith"),
    ("macos_home_path", "/Users/{}/notes/today.md", "Alice Smith"),
    ("macos_home_path", "/System/Volumes/Data/Users/{}/notes", "alicesmith"),
    ("macos_home_path", "-Users-{}-notes-of-today", "alicesmith"),
    ("windows_home_path", r"C:\Users\{}\notes\today.md", "alicesmith"),
    ("windows_home_path", r"c:\users\{}\notes\today.md", "alice van smith"),
    ("windows_home_path", "D:/Users/{}/notes/today.md", "alicesmith"),
    ("windows_home_path", "/mnt/c/Users/{}/notes/today.md", "alicesmith"),
    ("windows_home_path", "/c/Users/{}/notes/today.md", "alicesmith"),
    ("windows_home_path", r"\\fileserver\Users\{}\notes\today", "alicesmith"),
    ("windows_home_path", r"\\nas\c$\Users\{}\notes\today", "alicesmith"),
    ("windows_home_path", "C--Users-{}-notes-of-today", "alicesmith"),
    ("windows_home_path", "-mnt-c-Users-{}-notes-of-today", "alicesmith"),
    ("windows_home_path", r"C:\Documents and Settings\{}\notes", "alicesmith"),
    ("repository_identity", "git@github.com:{}.git", "acme/rocket"),
    ("repository_identity", "ssh://git@git.acme.example:2222/{}.git", "acme/rocket"),
    ("repository_identity", "https://github.com/{}/issues/3", "acme/rocket"),
    ("repository_identity", "https://gitlab.com/{}/-/issues", "acme/fleet/rocket"),
    ("repository_identity", "https://git.acme.example/{}.git", "acme/rocket"),
    ("repository_identity", "https://git.acme.example/{}/-/issues", "acme/rocket"),
    ("repository_identity", "https://code.acme.example/{}/pulls/3", "acme/rocket"),
    ("repository_identity", "https://api.github.com/repos/{}/pulls", "acme/rocket"),
    ("repository_identity", "gh pr list --repo {} --limit 3", "acme/rocket"),
    ("repository_identity", "gh issue view 3 -R {}", "acme/rocket"),
    ("repository_identity", "gh repo clone {} here-or-there", "acme/rocket"),
    ("repository_identity", "gh api repos/{}/pulls/3/comments", "acme/rocket"),
    ("repository_identity", "Author: {} <alice@example.org>", "Alice Smith"),
    ("repository_identity", "Co-authored-by: {} <alice@example.org>", "Alice Smith"),
    ("repository_identity", "author {} <a@b.example> 1700000000 +0100", "Alice Smith"),
]

ENCODED = "nobody encodes a name alone; what is encoded whole is for the entropy rules"
NO_ADDRESS = "what is left is no address"
OTHER_CASE = "in the other case it is another path or option, or none"
BROKEN = "the break is within what tells that a name follows"
NO_FORM = {
    "in base64": (("",), ENCODED),
    "cut": (
        (
            "from",
            "-home",
            "-Users",
            "ping",
            "http://{}",
            "ip-",
            "https://git.a",
            "https://code",
            "gh is",
        ),
        NO_ADDRESS,
    ),
    "wrapped": (
        (
            "/System",
            "c:",
            "C:\\Doc",
            "ssh:",
            "https://git",
            "https://code",
            "https://api",
            "gh is",
        ),
        BROKEN,
    ),
    "in upper case": (
        (
            "/",
            "~",
            "-",
            "file:",
            "gh ",
            "author ",
            r"\\wsl",
            "vscode:",
            "sftp:",
            r"\\f",
        ),
        OTHER_CASE,
    ),
    "in lower case": (
        ("/Users", "/System", "-Users", "gh is", "vscode:", "file://nas"),
        OTHER_CASE,
    ),
}
"""Forms that make no sense: by form, how such values begin, and why."""

CASES = [
    pytest.param(rule, shape, hidden, form, id=f"{shape.format(hidden)} {form}")
    for rule, shape, hidden in VALUES
    for form in FORMS
    if not shape.startswith(NO_FORM.get(form, ((), ""))[0])
]


@pytest.mark.parametrize(("rule", "shape", "hidden", "form"), CASES)
def test_a_name_goes_in_every_form(
    rule: str, shape: str, hidden: str, form: str
) -> None:
    text = FORMS[form](shape.format(hidden))

    redacted = redact_text(text, identity=True)

    assert rest_of(hidden, redacted) == ""
    assert f"[REDACTED:{rule}]" in redacted


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        (
            "cat /home/alicesmith/notes/today.md",
            "cat /home/[REDACTED:linux_home_path]/notes/today.md",
        ),
        (
            "open '/Users/Alice Smith/notes'",
            "open '/Users/[REDACTED:macos_home_path]/notes'",
        ),
        ("C:\\Users\\alice\\x", "C:\\Users\\[REDACTED:windows_home_path]\\x"),
        (
            "~/.claude/projects/-home-alice-code-x/1.jsonl",
            "~/.claude/projects/-home-[REDACTED:linux_home_path]-code-x/1.jsonl",
        ),
        ("/Users/alice or src/x", "/Users/[REDACTED:macos_home_path] or src/x"),
        ("mail 'alice@example.org'", "mail '[REDACTED:email_address]'"),
        (
            "git clone git@github.com:acme/rocket.git",
            "git clone git@github.com:[REDACTED:repository_identity].git",
        ),
        (
            "https://github.com/acme/rocket/blob/main/a.py",
            "https://github.com/[REDACTED:repository_identity]/blob/main/a.py",
        ),
        (
            "Author: Alice Smith <alice@example.org>\nDate: today",
            "Author: [REDACTED:repository_identity] <[REDACTED:email_address]>\n"
            "Date: today",
        ),
        ("Author: Alice Smith\n", "Author: [REDACTED:repository_identity]\n"),
        (
            "Ask alice@example.org. Then fe80::1: it is up, and 10.0.0.7.",
            "Ask [REDACTED:email_address]. Then [REDACTED:private_ip_address]: it is"
            " up, and [REDACTED:private_ip_address].",
        ),
        (
            "10.0.0.1-10.0.0.9",
            "[REDACTED:private_ip_address]-[REDACTED:private_ip_address]",
        ),
        ("ssh alice@10.0.0.7", "ssh alice@[REDACTED:private_ip_address]"),
    ],
)
def test_what_stands_around_a_name_stays(text: str, redacted: str) -> None:
    assert redact_text(text, identity=True) == redacted


def test_the_host_of_a_team_goes_with_its_repository() -> None:
    text = "git remote add origin https://git.acme.example/fleet/rocket.git"

    assert redact_text(text, identity=True) == (
        "git remote add origin https://[REDACTED:repository_identity].git"
    )


@pytest.mark.parametrize(("rule", "shape", "hidden"), VALUES)
def test_what_is_stored_keeps_it(rule: str, shape: str, hidden: str) -> None:
    text = f"{shape.format(hidden)} {rule}"

    assert redact_text(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "git@github.com",
        "icon@2x.png and banner@3x.webp",
        "lodash@4.17.21 react@18.3.0-rc.next vite@v5.0.0",
        "@app.route('/') and @pytest.mark.slow",
        r"line one\n@app.route and \u0040app.route, \t@dataclass.field",
        "systemctl restart getty@tty1.service",
        "y = a@b.T + x@self.weight(3) + w@v.items[0]",
        "npm i @scope/package@latest",
        "docker pull image@sha256:0123456789abcdef",
        "x" * 70 + "@example.org",
    ],
)
def test_what_only_looks_like_an_e_mail_address_stays(text: str) -> None:
    assert redact_text(text, identity=True) == text


@pytest.mark.parametrize(
    "text",
    [
        "version 10.0.0.1",
        '"version": "10.1.2.3"',
        "v10.0.0.1 and >=10.0.0.1",
        "pkg==10.0.0.1 and chromium-10.0.0.1",
        "127.0.0.1 and ::1 and 0.0.0.0",
        "8.8.8.8 and 172.15.0.1 and 172.32.0.1 and 100.128.0.1",
        "10.0.19041.1 and 10.0.0.256 and 1.10.0.0.1 and 10.0.0.1.5",
        "10.0.0.0/8 and 192.168.0.0/16 and fc00::/7",
        "std::fd::x and feed::add and fade::in and fdef",
        "2001:db8::1 and fc:aa:bb:cc:dd:ee",
        "ip-10-0-0-999.ec2.internal",
    ],
)
def test_what_is_no_address_of_a_private_network_stays(text: str) -> None:
    assert redact_text(text, identity=True) == text


@pytest.mark.parametrize(
    "text",
    [
        "/Users/Shared/x and C:\\Users\\Public\\x and C:\\Users\\Default User\\x",
        "https://example.org/home/about and https://example.org/Users/list",
        "/home/$USER/x /home/<you>/x /home/... /Users/{name}/x C:\\Users\\%USERNAME%",
        "a/home/about and ../home/index.js and x-I/home/about and grep -I home/about",
        "-my-home-page and -my-Users-list and nav--c-Users-list",
        "~/notes and ~ and HEAD~3 and import '~components/Button'",
        "--home-dir=/x and take-home-pay and nav-home-link",
        "App\\Users\\Controllers\\List",
        "GET /users/alicesmith",
    ],
)
def test_what_is_no_home_folder_stays(text: str) -> None:
    assert redact_text(text, identity=True) == text


@pytest.mark.parametrize(
    "text",
    [
        "https://docs.github.com/en/actions",
        "https://github.com/features/actions and https://github.com/topics/cli",
        "https://github.com and https://github.com/",
        "https://notgithub.com/acme/rocket",
        "https://example.org/about/our/issues and https://example.org/blob/x/y",
        "helm install --repo https://charts.example.org",
        "check --repo tests/data/small",
        "grep -R src/quoth and chown -R ada/users",
        "the author of this",
        "Author: see AUTHORS",
        "commit: fix the build",
    ],
)
def test_what_names_no_repository_stays(text: str) -> None:
    assert redact_text(text, identity=True) == text


def test_a_password_in_an_address_keeps_its_own_rule() -> None:
    text = "postgres://ada:" + "s3cr3t-Pa55" + "@db.example.org/app"

    assert redact_text(text, identity=True) == (
        "postgres://ada:[REDACTED:credential_url]@db.example.org/app"
    )


KEYS = sorted({key for rule in IDENTITY_RULES for key in rule.keys[:4]})
"""The rest of a rule's keys are as these are."""

PIECES = [shape.format(hidden) for _, shape, hidden in VALUES]
GLUE = ["", " ", "\n", "/", "\\", "@", ":", "-", ".", "\\n", "%2F", "<", "alice", "密"]
messy_text = st.lists(
    st.one_of(st.sampled_from([*PIECES, *KEYS, *GLUE]), st.text(max_size=6)),
    max_size=10,
).map("".join)


@given(messy_text)
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact_text(text, identity=True)

    assert redact_text(once, identity=True) == once


UNITS = [
    *("{0}", "-{0}", " {0}", "./{0}", "{0}=", '"{0}":"', "?{0}", "{0}A1b2C3 "),
    *("{0}a/", "{0}a.", "{0}a@a.", "/{0}", "\\{0}", "{0}" + "a" * 60 + " "),
]
TAILS = [
    "a",
    "A1b",
    "-",
    "/",
    " ",
    "\\",
    ".",
    "=",
    ":",
    "@a.",
    "a.",
    "1.",
    "a b",
    "%20",
]


@pytest.mark.parametrize("key", KEYS)
def test_no_repetition_of_a_key_keeps_a_rule_busy(key: str) -> None:
    units = [*(unit.format(key) for unit in UNITS), *TAILS]
    texts = [(key + unit * 4_000)[:4_000] for unit in units]

    assert max(seconds_for(EVERYTHING, text) for text in texts) < 0.5  # usually 0.04
