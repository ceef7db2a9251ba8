"""What must never be found in an archive: a name for it, and how to look for it."""

from __future__ import annotations

from collections.abc import Mapping

from quoth.model import Kind, Noise, Role

from ._derived import owner_of

__all__ = [
    "CONVERSATIONS",
    "FACTS_MAKE_SENSE",
    "NOTES",
    "OWNERS",
    "ROWS",
    "TITLES",
    "UNITS",
    "VECTORS",
    "WORDS",
]

Claims = Mapping[str, str]

_FIRST_MS, _LAST_MS = -62_135_596_800_000, 253_402_300_799_999  # what datetime holds


def _names(values: type[Kind | Role | Noise]) -> str:
    return ", ".join(f"'{value}'" for value in values)


FACTS_MAKE_SENSE = "iif(json_valid(facts), json_type(facts) = 'object', 0)"
"""Of a row of `told`."""

ROWS: Claims = {
    "messages without a text": "SELECT id FROM message EXCEPT SELECT id FROM body",
    "texts without a message": "SELECT id FROM body EXCEPT SELECT id FROM message",
    "messages in no conversation": (
        "SELECT id FROM message EXCEPT SELECT message FROM member"
    ),
    "messages of an unknown author": (
        f"SELECT id FROM message WHERE role NOT IN ({_names(Role)})"
        f" OR noise NOT IN ({_names(Noise)})"
    ),
    "messages at an impossible time": (
        f"SELECT id FROM message WHERE at NOT BETWEEN {_FIRST_MS} AND {_LAST_MS}"
    ),
    "conversations whose key and source differ": (
        "SELECT id FROM conversation"
        " WHERE substr(key, 1, length(source) + 1) <> source || ':'"
    ),
    "conversations that no file tells of": (
        "SELECT id FROM conversation EXCEPT SELECT conversation FROM told"
    ),
    "conversations told in a way that makes no sense": (
        f"SELECT 1 FROM told WHERE NOT {FACTS_MAKE_SENSE}"
    ),
}
"""Of what nothing else in the archive can make again."""

OWNERS: Claims = {
    "messages listed under the wrong conversation": (
        f"SELECT m.id FROM message m WHERE m.home IS NOT ("
        f"{owner_of('m.id', 'member.conversation')})"
    ),
    "messages shown or hidden against their conversations": (
        "SELECT m.id FROM message m WHERE m.live IS NOT"
        " (SELECT max(live) FROM member WHERE message = m.id)"
    ),
    "calls to a model counted in the wrong conversation": (
        "SELECT usage.id FROM usage JOIN message m ON m.id = message"
        " WHERE m.home <> usage.conversation"
    ),
}

_TOLD = (
    "kind",
    "parent_key",
    "title",
    "title_origin",
    "cwd",
    "repo",
    "branch",
    "started_at",
    "ended_at",
    "app_version",
)

CONVERSATIONS: Claims = {
    "conversations of an unknown kind": (
        f"SELECT id FROM conversation WHERE kind NOT IN ({_names(Kind)})"
    ),
    "conversations with a wrong count of messages": (
        "WITH counted AS (SELECT home, count(*) AS messages,"
        "  count(text_hash) AS texts FROM message"
        "  WHERE live = 1 AND noise IS NULL GROUP BY home)"
        " SELECT c.id FROM conversation c LEFT JOIN counted ON home = c.id"
        " WHERE c.messages IS NOT coalesce(counted.messages, 0)"
        " OR c.texts IS NOT coalesce(counted.texts, 0)"
    ),
    "conversations that would give a number away again": (
        "SELECT c.id FROM conversation c WHERE next_seq <="
        " (SELECT max(seq) FROM member WHERE conversation = c.id)"
    ),
    "conversations that don't know what they share": (
        "SELECT DISTINCT one.conversation FROM member one JOIN member other"
        " ON other.message = one.message AND other.conversation <> one.conversation"
        " JOIN conversation c ON c.id = one.conversation WHERE shares = 0"
    ),
    "conversations listed under the wrong one": (
        "SELECT c.id FROM conversation c LEFT JOIN conversation above"
        f" ON above.key = c.parent_key AND c.kind = '{Kind.SUBAGENT}'"
        " WHERE c.root <> coalesce(above.root, c.id)"
    ),
    "conversations whose source is gone or there against their files": (
        "SELECT c.id FROM conversation c JOIN told ON told.conversation = c.id"
        " JOIN source_file f ON f.id = told.file GROUP BY c.id"
        " HAVING (c.source_gone_at IS NULL) <> (min(f.gone_at IS NOT NULL) = 0)"
    ),
    "conversations that differ from what their file tells": (
        "SELECT c.id FROM conversation c JOIN told ON told.conversation = c.id"
        " WHERE json_valid(facts) AND NOT EXISTS (SELECT 1 FROM told AS other"
        "  WHERE other.conversation = c.id AND other.file <> told.file) AND ("
        + " OR ".join(f"c.{name} IS NOT facts ->> '{name}'" for name in _TOLD)
        + ")"
    ),
}

WORDS: Claims = {
    "messages missing from the word index": (
        "SELECT id FROM message WHERE noise IS NULL EXCEPT SELECT id FROM words_docsize"
    ),
    "entries of the word index without a message": (
        "SELECT id FROM words_docsize EXCEPT SELECT id FROM message WHERE noise IS NULL"
    ),
}

TITLES: Claims = {
    "titles missing from the title index": (
        "SELECT id FROM conversation WHERE title IS NOT NULL"
        " EXCEPT SELECT id FROM titles_docsize"
    ),
    "entries of the title index without a title": (
        "SELECT id FROM titles_docsize"
        " EXCEPT SELECT id FROM conversation WHERE title IS NOT NULL"
    ),
}

VECTORS: Claims = {
    "vectors that belong to no text": (
        "SELECT id FROM embedding WHERE NOT EXISTS"
        " (SELECT 1 FROM message WHERE message.text_hash = embedding.text_hash)"
    ),
    "vectors of a wrong width": (
        "SELECT embedding.id FROM embedding"
        " JOIN embedder ON embedder.id = embedding.embedder"
        " WHERE embedding.id <= 0 OR length(scales) % 4 <> 0"
        " OR length(codes) <> length(scales) / 4 * dimensions"
    ),
    "texts passed over when vectors were made": (
        "SELECT m.id FROM message m, embedder WHERE m.text_hash IS NOT NULL"
        " AND m.id <= up_to AND EXISTS"
        "  (SELECT 1 FROM embedding WHERE embedding.embedder = +embedder.id)"
        " AND NOT EXISTS (SELECT 1 FROM embedding WHERE"
        "  embedding.embedder = embedder.id AND embedding.text_hash = m.text_hash)"
    ),
    "embedders that are ahead of the messages": (
        "SELECT id FROM embedder WHERE up_to >"
        " (SELECT coalesce(max(id), 0) FROM message)"
    ),
}

UNITS: Claims = {
    "files that count as read and were not": (
        "SELECT id FROM source_file WHERE state = 'done' AND checkpoint IS NULL"
        " AND stamp <> ''"
    ),
}

NOTES: Claims = {
    "notes of the archive about itself that make no sense": (
        "SELECT key FROM meta WHERE typeof(value) <> 'integer'"
        " AND key IN ('generation', 'last_sync',"
        "  'scrub', 'ban_file', 'never_index', 'earlier_rules')"
        " OR typeof(value) <> 'text'"
        " AND key IN ('secret_rules', 'secret_rules_progress')"
    ),
}
