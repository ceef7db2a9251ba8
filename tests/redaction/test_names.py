"""What is learned of a person, and how it goes from a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.redaction import Names, Redactor, everything, learn_names, secrets

from .forms import FORMS, rest_of

NAMES = Names(
    users=("alicesmith",),
    hosts=("alices-macbook.local", "build-7.acme.example"),
    people=("Alice van Smith",),
    emails=("alice@intranet",),
    owners=("acme-inc",),
    repositories=("rocketlauncher",),
)


def learned(
    *,
    environ: Mapping[str, str] = MappingProxyType({}),
    home_dir: str = "",
    node: str = "",
    git_config: str | None = None,
    folders: Iterable[str] = (),
    remotes: Iterable[str] = (),
) -> Names:
    """Return what is learned of nothing but what is given."""
    return learn_names(
        environ=environ,
        home_dir=home_dir,
        node=node,
        git_config=git_config,
        folders=folders,
        remotes=remotes,
    )


def wide(text: str) -> str:
    """Return *text* in full-width letters."""
    return text.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)})


def hidden(text: str, names: Names = NAMES) -> str:
    return everything(names).redact(text)


def test_a_user_is_learned_from_the_environment_and_the_home_folder() -> None:
    names = learned(
        environ={"USER": "alice", "LOGNAME": "alice", "USERNAME": "asmith"},
        home_dir="/home/alice.s",
    )

    assert names.users == ("alice", "asmith", "alice.s")


@pytest.mark.parametrize(
    "home_dir", ["/home/alice/", "/Users/alice", "C:\\Users\\alice", "C:/Users/alice/"]
)
def test_a_user_is_the_last_part_of_any_home_folder(home_dir: str) -> None:
    assert learned(home_dir=home_dir) == Names(users=("alice",))


@pytest.mark.parametrize(
    "folder",
    [
        "/home/bob/code/x",
        "/var/home/bob",
        "/Users/bob/x",
        "C:\\Users\\bob\\x",
        "c:/users/bob",
        "/mnt/c/Users/bob/x",
        "-home-bob-code-x",
        "-Users-bob-x",
        "C--Users-bob-x",
    ],
)
def test_users_are_learned_from_folders_that_were_worked_in(folder: str) -> None:
    assert learned(folders=[folder]) == Names(users=("bob",))


@pytest.mark.parametrize("folder", ["/srv/app", "", "/tmp/home", "x-home-bob-y"])  # noqa: S108
def test_other_folders_teach_nothing(folder: str) -> None:
    assert learned(folders=[folder]) == Names()


def test_a_machine_is_learned_with_and_without_its_domain() -> None:
    assert learned(node="zaphod.lan.example").hosts == ("zaphod.lan.example", "zaphod")


def test_a_person_is_learned_from_gits_settings() -> None:
    config = (
        "# mine\n"
        "[user]\n"
        '\tname = "Alice \\"Al\\" Smith" ; me\n'
        '  email = "alice@example.org" # work\n'
        "[core]\n"
        "\teditor = vi\n"
        '[USER] name = "Smith; Alice"\n'
        "[github]\n"
        "\tuser = alice-gh\n"
        '[credential "https://git.acme.example"]\n'
        "\tusername = asmith\n"
        '[remote "origin"]\n'
        "\turl = git@github.com:acme/rocket.git\n"
        "[broken\n"
        "name = nobody else\n"
    )

    assert learned(git_config=config) == Names(
        users=("alice",),
        people=('Alice "Al" Smith', "Smith; Alice"),
        emails=("alice@example.org",),
        owners=("alice-gh", "asmith", "acme"),
        repositories=("rocket",),
    )


@pytest.mark.parametrize(
    ("remote", "hosts", "owners"),
    [
        ("git@github.com:acme/rocket.git", (), ("acme",)),
        ("https://github.com/acme/rocket", (), ("acme",)),
        ("https://token@github.com/acme/rocket.git", (), ("acme",)),
        ("ssh://git@github.com:22/acme/rocket.git", (), ("acme",)),
        ("https://gitlab.com/acme/fleet/rocket.git", (), ("acme", "fleet")),
        ("git@ssh.dev.azure.com:v3/acme/fleet/rocket", (), ("acme", "fleet")),
        ("https://dev.azure.com/acme/fleet/_git/rocket", (), ("acme", "fleet")),
        ("https://git.sr.ht/~acme/rocket", (), ("acme",)),
        ("git@git.acme.example:fleet/rocket", ("git.acme.example",), ("fleet",)),
    ],
)
def test_owner_and_repository_are_learned_from_a_remote(
    remote: str, hosts: tuple[str, ...], owners: tuple[str, ...]
) -> None:
    assert learned(remotes=[remote]) == Names(
        hosts=hosts, owners=owners, repositories=("rocket",)
    )


@pytest.mark.parametrize(
    "folder", ["/home/bob/code/rocket", "C:\\code\\rocket", "/srv/git/rocket.git/"]
)
def test_a_repository_is_learned_from_its_root_folder(folder: str) -> None:
    assert learned(remotes=[folder]) == Names(repositories=("rocket",))


@pytest.mark.parametrize("remote", ["/srv/git/x.git", "../x", "", "github.com/acme"])
def test_what_is_no_remote_teaches_nothing(remote: str) -> None:
    assert learned(remotes=[remote]) == Names()


@pytest.mark.parametrize(
    "user",
    [
        *("root", "runner", "Ubuntu", "admin", "test", "main", "code", "user1"),
        *("opc", "hadoop", "kali", "python", "java", "live", "info", "owner", "log"),
        *("al", "", "  ", "1000"),
    ],
)
def test_what_is_everyones_name_is_not_learned(user: str) -> None:
    assert learned(environ={"USER": user}) == Names()


@pytest.mark.parametrize(
    "remote",
    [
        "https://github.com/python/docs",
        "https://github.com/django/django",
        "https://github.com/microsoft/typescript",
        "/srv/react",
        "/home/dev/error",
    ],
)
def test_a_remote_of_common_words_teaches_none_of_them(remote: str) -> None:
    """Or every "python" and every "error" in an answer would go."""
    assert learned(remotes=[remote]) == Names()


@pytest.mark.parametrize(
    ("remote", "owners", "repositories"),
    [
        ("git@github.com:python/cpython-x.git", (), ("cpython-x", "python/cpython-x")),
        ("git@github.com:acme/notes.git", ("acme",), ("acme/notes",)),
    ],
)
def test_a_common_word_goes_beside_the_name_it_belongs_to(
    remote: str, owners: tuple[str, ...], repositories: tuple[str, ...]
) -> None:
    names = learned(remotes=[remote])

    assert names == Names(owners=owners, repositories=repositories)
    assert hidden(f"in {repositories[-1]}!", names) == (
        "in [REDACTED:repository_identity]!"
    )


def test_a_person_is_learned_from_the_environment_of_git_and_of_the_machine() -> None:
    names = learned(
        environ={
            "SUDO_USER": "alice",
            "GIT_AUTHOR_NAME": "Alice Smith",
            "GIT_COMMITTER_NAME": "A. Smith",
            "GIT_AUTHOR_EMAIL": "alice@intranet",
            "GIT_COMMITTER_EMAIL": "smith@intranet",
            "EMAIL": "al.smith@intranet",
            "COMPUTERNAME": "ZAPHOD",
            "HOSTNAME": "zaphod.lan",
        }
    )

    assert names == Names(
        users=("alice", "smith", "al.smith"),
        hosts=("ZAPHOD", "zaphod.lan"),
        people=("Alice Smith", "A. Smith"),
        emails=("alice@intranet", "smith@intranet", "al.smith@intranet"),
    )


@pytest.mark.parametrize(
    ("email", "users"),
    [
        ("asmith+git@example.org", ("asmith",)),
        ("123456+asmith@users.noreply.github.com", ("asmith",)),
        ("info@example.org", ()),
        ("noreply@github.com", ()),
        ("me@example.org", ()),
    ],
)
def test_what_stands_before_the_at_is_a_name_too(
    email: str, users: tuple[str, ...]
) -> None:
    names = learned(git_config=f"[user]\nemail = {email}\n")

    assert names == Names(users=users, emails=(email,))


@pytest.mark.parametrize(
    "name", ["Test User", "Your Name", "all users", "Default User"]
)
def test_several_words_that_are_everyones_are_no_name(name: str) -> None:
    assert learned(git_config=f"[user]\nname = {name}\n") == Names()
    assert learned(folders=[f"C:\\Users\\{name}\\x"]) == Names()


def test_a_person_whose_names_are_words_is_one() -> None:
    names = learned(git_config="[user]\nname = Grace Page\n")

    assert names == Names(people=("Grace Page",))


def test_what_was_learned_twice_is_known_once() -> None:
    both = Names(users=("alice", "bob")) | Names(users=("Alice", "carol"))

    assert both == Names(users=("alice", "bob", "carol"))


LEARNED = [
    ("learned_name", "alicesmith"),
    ("learned_name", "alices-macbook.local"),
    ("learned_name", "Alice van Smith"),
    ("repository_identity", "acme-inc"),
    ("repository_identity", "rocketlauncher"),
]
NO_FORM = {
    "cut": "a part of a name is not known as one",
    "wrapped": "a part of a name is not known as one",
    "in base64": "a name that was encoded is not looked for",
}


@pytest.mark.parametrize("form", [form for form in FORMS if form not in NO_FORM])
@pytest.mark.parametrize(("rule", "name"), LEARNED)
def test_a_learned_name_goes_in_every_form(rule: str, name: str, form: str) -> None:
    redacted = hidden(FORMS[form](name))

    assert rest_of(name, redacted) == ""
    assert f"[REDACTED:{rule}]" in redacted


@pytest.mark.parametrize(
    "text",
    [
        "ALICESMITH",
        "alicesmith's",
        "alicesmith_notes",
        "for-alicesmith-only",
        "/srv/alicesmith/x",
        "-srv-alicesmith-x",
        "\\nalicesmith",
        "是alicesmith的",
        "alicesmith2",
        "alicesmith1987@",
        "alicesmith\u2019s",
        "alicesmiths",
        "alicesmiths'",
        "myAlicesmithBackup",
        "alicesmithBackup",
        "fooAlicesmith",
        wide("alicesmith"),
    ],
)
def test_a_name_goes_at_every_edge_of_a_word(text: str) -> None:
    narrow = unicodedata.normalize("NFKC", text).lower()

    assert unicodedata.normalize("NFKC", hidden(text)).lower() == narrow.replace(
        "alicesmith", "[redacted:learned_name]"
    )


@pytest.mark.parametrize(
    "text",
    [
        *(
            "alicesmithson",
            "malicesmith",
            "alicesmith2x",
            "alicesmith12345",
            "2alicesmith",
        ),
        *("éalicesmith", "alicesmithé", "alicesmithя", "acme", "Smith", "rocket"),
    ],
)
def test_a_part_of_a_longer_word_stays(text: str) -> None:
    assert hidden(text) == text


@pytest.mark.parametrize(
    "written",
    ["alice van smith", "alice.van.smith", "Alice-van-Smith", "alice_van_smith"],
)
def test_a_persons_name_goes_however_its_parts_are_joined(written: str) -> None:
    assert hidden(f"by {written}.") == "by [REDACTED:learned_name]."


@pytest.mark.parametrize(
    "written",
    [
        *("Alice  van\tSmith", "Alice van\nSmith", "Alice\r\n    van Smith"),
        *("Alice\u00a0van Smith", "> Alice van\n> Smith", "Smith, Alice van"),
        *("# Alice\n# van Smith", "Alice%20van%20Smith", "ALICE VAN SMITH's"),
        wide("Alice van\u3000Smith"),
    ],
)
def test_a_persons_name_goes_whatever_space_is_in_it(written: str) -> None:
    redacted = hidden(f"by {written}!")

    assert "[REDACTED:learned_name]" in redacted
    left = unicodedata.normalize("NFKC", redacted).lower()
    assert not re.search("alice|smith", left)


@pytest.mark.parametrize("text", ["Alice\n\nvan Smith", "Alice vanSmithson"])
def test_two_paragraphs_make_no_name(text: str) -> None:
    assert hidden(text) == text


def test_a_name_that_a_full_line_broke_goes() -> None:
    line = "the report was written last week by alic"

    assert hidden(f"{line}esmith, who left") == (
        "the report was written last week by [REDACTED:learned_name], who left"
    )
    assert hidden(f"{line}\nesmith, who left") == (
        "the report was written last week by [REDACTED:learned_name], who left"
    )
    assert hidden("alic\nesmith") == "alic\nesmith"


@pytest.mark.parametrize(
    "text", ["commit ada5f3c9", "0f3aada5-ada2-4ada-8ada-000000ada123", "xAdaPy9"]
)
def test_a_short_name_does_not_break_a_hash(text: str) -> None:
    assert hidden(text, Names(users=("ada",))) == text


def test_a_name_with_a_dot_goes_from_the_name_of_a_project_folder() -> None:
    names = Names(users=("alice.smith",))

    assert hidden("projects/-srv-alice-smith-x", names) == (
        "projects/-srv-[REDACTED:learned_name]-x"
    )


def test_what_is_left_of_a_name_without_its_other_letters_stays() -> None:
    assert hidden("uname -na", Names(users=("\u674ena",))) == "uname -na"


def test_a_name_with_accents_goes_composed_and_decomposed() -> None:
    names = Names(users=("jos\u00e9luis",))

    assert hidden("jos\u00e9luis jose\u0301luis JOS\u00c9LUIS", names) == (
        " ".join(["[REDACTED:learned_name]"] * 3)
    )


def test_a_home_folder_keeps_the_name_of_its_own_rule() -> None:
    assert hidden("/home/alicesmith/x and ~/.claude/projects/-home-alicesmith-x") == (
        "/home/[REDACTED:linux_home_path]/x and"
        " ~/.claude/projects/-home-[REDACTED:linux_home_path]-x"
    )


def test_a_name_of_three_letters_goes_even_when_it_is_the_whole_text() -> None:
    assert hidden("bob", Names(users=("bob",))) == "[REDACTED:learned_name]"


def test_an_address_without_a_domain_goes_once_it_was_learned() -> None:
    assert hidden("to alice@intranet") == "to [REDACTED:email_address]"


def test_the_longest_of_two_names_goes() -> None:
    names = Names(hosts=("zaphod", "zaphod-two"))

    assert hidden("on zaphod-two", names) == "on [REDACTED:learned_name]"


@pytest.mark.parametrize("word", ["linux", "identity", "REDACTED", "email_address"])
def test_a_name_inside_a_mark_stays(word: str) -> None:
    """Whatever somebody is called, what was redacted once stays as it is."""
    redactor = everything(Names(users=(word,)))
    once = redactor.redact("/home/zed/x and zed@example.org and github.com/a/b")

    assert redactor.redact(once) == once
    assert once.startswith("/home/[REDACTED:linux_home_path]/x")


def test_names_in_great_number_take_no_more_work() -> None:
    names = Names(repositories=tuple(f"project-{n:04}" for n in range(2_000)))

    assert hidden("see project-1234 there", names) == (
        "see [REDACTED:repository_identity] there"
    )


def test_the_same_names_give_the_same_redactor() -> None:
    assert everything(NAMES) is everything(NAMES | NAMES)


def test_a_persons_own_patterns_join_both_kinds() -> None:
    patterns = {"acme_key": "ACME-[A-Z0-9]{8}"}
    text = "ACME-" + "A1B2C3D4"

    both = [secrets(patterns), everything(NAMES, patterns)]

    assert [each.redact(text) for each in both] == ["[REDACTED:acme_key]"] * 2


def test_own_patterns_change_the_stamp_of_what_is_stored() -> None:
    plain, own = secrets(), secrets({"acme_key": "ACME-[A-Z0-9]{8}"})

    assert plain.stamp
    assert own.stamp not in {plain.stamp, secrets({"acme_key": "ACME-[a-z]{8}"}).stamp}


@given(st.lists(st.sampled_from([*(n for _, n in LEARNED), "/", " ", "-", "x", "["])))
def test_redacting_twice_changes_nothing_more(pieces: list[str]) -> None:
    redactor: Redactor = everything(NAMES)
    once = redactor.redact("".join(pieces))

    assert redactor.redact(once) == once
