"""What stands only in what a tool was given or gave back is found, and said to be."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import synced
from tests.retrieval.builders import a_call, a_talk, answer, write

from quoth import Archive
from quoth.model import FoundIn, Mode

CALL = a_call("shell", command="tracker create --id bd-only-here")
RESULT = {
    "role": "user",
    "content": [
        {"type": "tool_result", "tool_use_id": "call_1", "content": "ERR_HAWSER_77"}
    ],
}


@pytest.fixture
def library(tmp_path: Path) -> Archive:
    asked = a_talk("asked", "who made the ticket?", CALL, RESULT, answer("You did."))
    newer = [
        a_talk(f"newer {number}", "what comes next?", minute=100 + number)
        for number in range(60)
    ]
    prompt = a_talk("prompt", "why does the capstan slip under load?", minute=10)
    dump = "\n".join(["capstan slip load"] * 100)
    dumped = a_talk(
        "dumped",
        "show me the log",
        {**RESULT, "content": [{**RESULT["content"][0], "content": dump}]},  # type: ignore[dict-item]
        minute=20,
    )
    write(tmp_path, asked, prompt, dumped, *newer)
    return synced(tmp_path)


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("bd-only-here", FoundIn.TOOL_INPUT),
        ("ERR_HAWSER_77", FoundIn.TOOL_OUTPUT),
        ("ticket", FoundIn.TEXT),
    ],
)
def test_a_hit_says_whether_it_is_of_the_text_or_of_a_tool(
    library: Archive, question: str, place: FoundIn
) -> None:
    (hit,) = library.search(question, mode=Mode.WORDS).hits

    assert (hit.conversation, hit.found_in) == ("generic:asked", place)


def test_a_prompt_comes_before_a_long_output_of_the_same_words(
    library: Archive,
) -> None:
    hits = library.search("capstan slip load", mode=Mode.WORDS).hits

    assert [hit.conversation for hit in hits] == ["generic:prompt", "generic:dumped"]
