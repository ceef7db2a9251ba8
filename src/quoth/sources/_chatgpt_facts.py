"""What a conversation of ChatGPT is called, when it was, and who answered in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from quoth.model import Conversation, Message, Role, TitleOrigin

from ._bounds import cut_short, title_line
from ._moments import moment_of

__all__ = ["conversation_of"]

_UNTITLED = "new chat"
_MOST_MODELS = 20
_LONGEST_MODEL = 100


def conversation_of(
    value: Mapping[str, Any], native_id: str, shown: Sequence[Message]
) -> Conversation:
    """Return the facts of a conversation.

    Args:
        shown: Its live messages, in order.
    """
    created = moment_of(value.get("create_time"))
    updated = moment_of(value.get("update_time"))
    said = [each.at for each in shown if each.at and not each.approximate_time]
    around = [moment for moment in (created, updated) if moment]
    title, origin = _title(value, shown)
    return Conversation(
        native_id=native_id,
        title=title,
        title_origin=origin,
        started_at=created or min(said or around, default=None),
        ended_at=max(said or around, default=None),
        models=_models(value, shown),
        snapshot_at=updated or created or max(said, default=None),
    )


def _title(
    value: Mapping[str, Any], shown: Sequence[Message]
) -> tuple[str | None, TitleOrigin | None]:
    given = value.get("title")
    title = title_line(given) if isinstance(given, str) else ""
    if title and title.lower() != _UNTITLED:
        return title, TitleOrigin.MODEL
    prompts = (
        title_line(message.text)
        for message in shown
        if message.role is Role.USER and message.noise is None
    )
    title = next(filter(None, prompts), "")
    return (title, TitleOrigin.PROMPT) if title else (None, None)


def _models(value: Mapping[str, Any], shown: Sequence[Message]) -> tuple[str, ...]:
    models = dict.fromkeys(each.model for each in shown if each.model)
    default = value.get("default_model_slug")
    if not models and isinstance(default, str) and default:
        return (cut_short(default, _LONGEST_MODEL),)
    return (*models,)[:_MOST_MODELS]
