"""The samples, by the name of their source. A new source joins here; see README.md."""

from __future__ import annotations

from quoth.sources import installed_sources

from .chatgpt_sample import CHATGPT
from .claude_ai_sample import CLAUDE_AI
from .claude_code_sample import CLAUDE_CODE
from .claude_prompts_sample import CLAUDE_PROMPTS
from .codex_sample import CODEX
from .gemini_cli_sample import GEMINI_CLI
from .generic_sample import GENERIC
from .history import Sample
from .specstory_sample import SPECSTORY

__all__ = ["NAMES", "SAMPLES"]

SAMPLES: dict[str, Sample] = {
    sample.source.name: sample
    for sample in (
        CHATGPT,
        CLAUDE_AI,
        CLAUDE_CODE,
        CLAUDE_PROMPTS,
        CODEX,
        GEMINI_CLI,
        GENERIC,
        SPECSTORY,
    )
}
NAMES = sorted({*SAMPLES, *(source.name for source in installed_sources())})
"""Every source that is installed, whether it has a sample or not."""
