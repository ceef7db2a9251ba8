"""Text from a transcript cannot steer the terminal that shows it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hostile_text import PAYLOADS, dangers_in

from quoth.cli._clean import clean_for_terminal


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        (
            "\x1b]8;;https://evil.example\x1b\\x",
            "\\x1b]8;;https://evil.example\\x1b\\x",
        ),
        ("\x1b]52;c;ZXZpbA==\x07", "\\x1b]52;c;ZXZpbA==\\x07"),
        ("\x1b[8mhidden", "\\x1b[8mhidden"),
        ("\x9b2J", "\\x9b2J"),
        ("safe\rEVIL", "safe\\x0dEVIL"),
        ("a\x08b", "a\\x08b"),
        ("a\x00b\x7fc", "a\\x00b\\x7fc"),
        ("a\x0bb\x0cc", "a\\x0bb\\x0cc"),
        ("a\x85b", "a\\x85b"),
        ("a\u2028b\u2029c", "a\\u{2028}b\\u{2029}c"),
        ("abc\u202etxt.exe", "abc\\u{202e}txt.exe"),
        ("\u2066a\u2069\u061cb\u200e", "\\u{2066}a\\u{2069}\\u{61c}b\\u{200e}"),
        ("pass\u200bword\u2060\ufeff", "pass\\u{200b}word\\u{2060}\\u{feff}"),
        ("soft\u00adhyphen", "soft\\xadhyphen"),
        ("\u115f\u1160\u3164\uffa0", "\\u{115f}\\u{1160}\\u{3164}\\u{ffa0}"),
        ("a\U000e0041\U000e007f", "a\\u{e0041}\\u{e007f}"),
        ("a\ufe01\ufe02\ufe03", "a\\u{fe01}\\u{fe02}\\u{fe03}"),
        ("a\u200c\u200d", "a\\u{200c}\\u{200d}"),
        ("a\ufe0f\u200d\ufe0f", "a\\u{fe0f}\\u{200d}\\u{fe0f}"),
        ("a\u180b\u180f", "a\\u{180b}\\u{180f}"),
        ("\U0001bca0\U0001d173", "\\u{1bca0}\\u{1d173}"),
        ("a\ud800b\uffff", "a\\u{d800}b\\u{ffff}"),
        ("caf\udce9.jsonl", "caf\\xe9.jsonl"),
        ("\udce2\udc80\udcae", "\\u{202e}"),
    ],
    ids=ascii,
)
def test_what_acts_or_hides_is_written_out(text: str, shown: str) -> None:
    assert clean_for_terminal(text) == shown


def test_a_name_that_python_could_not_decode_is_shown_as_text() -> None:
    """In the C locale no name beyond ASCII is decoded."""
    undecoded = "küste 漢".encode().decode("ascii", "surrogateescape")

    assert clean_for_terminal(undecoded) == "küste 漢"


@pytest.mark.parametrize(
    "text",
    [
        "plain text\n\twith a tab",
        "Zoë e\u0301",
        "👩\u200d👩\u200d👧 family",
        "❤\ufe0f and 1\ufe0f\u20e3",
        "❤\ufe0f\u200d🔥 🏳\ufe0f\u200d🌈 👨🏽\u200d⚕\ufe0f",
        "ᠮᠣᠩᠭᠣᠯ᠋",
        "ในพระ ሰላም ༄༅།",
        "مرحبا بالعالم",
        "می\u200cخواهم",  # noqa: RUF001
        "क्\u200dष नमस्ते",
        "今天天气很好",
        "שלום",
        "\\x1b is how it is written",
        "",
    ],
)
def test_what_people_write_stays_the_same_object(text: str) -> None:
    assert clean_for_terminal(text) is text


@pytest.mark.parametrize(
    "mark", ["\u0301", "\u20dd", "\u0e34", "\u0342\u0489", "\u0301\u200d"]
)
def test_a_flood_of_marks_on_one_letter_is_written_out(mark: str) -> None:
    """It would be drawn over the lines around, and take no room in a width."""
    cleaned = clean_for_terminal(f"a{mark * 5000}b ── {mark}")

    assert cleaned.startswith(f"a{(mark * 16)[:16]}\\u{{")
    assert cleaned.endswith(f"}}b ── {mark}")
    assert clean_for_terminal(cleaned) == cleaned


@pytest.mark.parametrize("text", ["a" + "\u0301" * 16, "─" * 500 + "🌊" * 40, "ཧྐྵྨླྺྼྻྂ"])
def test_no_flood_is_what_people_write(text: str) -> None:
    assert clean_for_terminal(text) == text


def test_a_line_break_becomes_a_space_where_one_line_has_to_do() -> None:
    assert clean_for_terminal("a\nb\x1b\nc", keep_newlines=False) == "a b\\x1b c"


DANGEROUS = "".join(sorted({*"".join(PAYLOADS.values())}))
TEXTS = st.text(st.characters()) | st.text(st.sampled_from(f"{DANGEROUS}\n\tx"))


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=list(PAYLOADS))
def test_what_steers_or_hides_is_seen_and_no_more(payload: str) -> None:
    cleaned = clean_for_terminal(payload)

    assert dangers_in(payload) != []
    assert dangers_in(cleaned) == []
    assert cleaned.isprintable()


@given(TEXTS)
def test_no_text_leaves_a_character_that_steers_or_hides(text: str) -> None:
    assert dangers_in(clean_for_terminal(text)) == []


def test_no_character_there_is_steers_or_hides() -> None:
    """Each of the 1,114,112, not only those that a chance brings up."""
    every = "x".join(map(chr, range(0x110000)))

    assert dangers_in(clean_for_terminal(every)) == []


@given(TEXTS)
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    once = clean_for_terminal(text)

    assert clean_for_terminal(once) == once


def test_a_line_break_of_windows_is_a_line_break() -> None:
    assert clean_for_terminal("one\r\ntwo\rthree") == "one\ntwo\\x0dthree"
