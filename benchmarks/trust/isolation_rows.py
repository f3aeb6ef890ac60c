"""What the proof of isolation knows of each table: how to name one row of another user, to touch it, and to make one.

A row is named by its key without the user, or by something in it that nobody else has.
"""

from __future__ import annotations

from sayso.database.check import TABLES

WEAKENINGS = {
    "policy dropped": "DROP POLICY {0}_of_the_user ON sayso.{0}",
    "policy opened": "CREATE POLICY everybody ON sayso.{0} USING (true) WITH CHECK (true)",
    "row security off": "ALTER TABLE sayso.{0} DISABLE ROW LEVEL SECURITY",
}
MENDINGS = {
    "policy dropped": "CREATE POLICY {0}_of_the_user ON sayso.{0} "
    "USING (user_id = nullif(current_setting('app.user_id', true), '')) "
    "WITH CHECK (user_id = nullif(current_setting('app.user_id', true), ''))",
    "policy opened": "DROP POLICY everybody ON sayso.{0}",
    "row security off": "ALTER TABLE sayso.{0} ENABLE ROW LEVEL SECURITY",
}
# what the application may not even do with its own rows
NEVER = {"trail": ("update", "delete"), "trails": ("delete",)}
ONE = {
    "users": "user_id = %(user)s",
    "tasks": "id = %(task)s",
    "words": "task_id = %(task)s",
    "answers": "key = %(key)s",
    "confirmations": "id = %(confirmation)s",
    "conversations": "id = %(conversation)s",
    "turns": "conversation_id = %(conversation)s AND number = 1",
    "cards": "id = %(card)s",
    "preferences": "chose = %(chose)s",
    "backs": "position(%(chose)s IN back) > 0",
    "trail": "hash = %(head)s",
    "trails": "hash = %(head)s",
    "changes": "user_id = %(user)s",
    "occurrences": "task_id = %(task)s",
    "reminder_settings": "user_id = %(user)s",
    "reminders": "task_id = %(task)s",
    "channels": "id = %(channel)s",
    "deliveries": "channel_id = %(channel)s",
    "grants": "id = %(grant)s",
    "machines": "id = %(machine)s",
    "commands": "machine_id = %(machine)s",
    "metrics": "machine_id = %(machine)s",
    "readings": "machine_id = %(machine)s",
    "orders": "id = %(order)s",
}
TOUCH = {
    "users": "name = name",
    "tasks": "title = title",
    "words": "word = word",
    "answers": "answer = answer",
    "confirmations": "answer = answer",
    "conversations": "created_at = created_at",
    "turns": "message = message",
    "cards": "digest = digest",
    "preferences": "times = times",
    "backs": "back = back",
    "trail": "kind = kind",
    "trails": "hash = hash",
    "changes": "number = number",
    "occurrences": "repeat = repeat",
    "reminder_settings": "morning = morning",
    "reminders": "rang_at = rang_at",
    "channels": "label = label",
    "deliveries": "attempts = attempts",
    "grants": "uses = uses",
    "machines": "name = name",
    "commands": "name = name",
    "metrics": "unit = unit",
    "readings": "value = value",
    "orders": "answer = answer",
}
INSERT = {
    "users": "INSERT INTO sayso.users (user_id, zone, language) VALUES (%(user)s || '+', 'UTC', 'en')",
    "tasks": "INSERT INTO sayso.tasks (user_id, title, title_key) VALUES (%(user)s, 'x', 'x')",
    "words": "INSERT INTO sayso.words (user_id, word, task_id) VALUES (%(user)s, 'x', gen_random_uuid())",
    "answers": "INSERT INTO sayso.answers (user_id, key, body) VALUES (%(user)s, 'x', 'x')",
    "confirmations": "INSERT INTO sayso.confirmations (user_id, id, digest) VALUES (%(user)s, gen_random_uuid(), 'x')",
    "conversations": "INSERT INTO sayso.conversations (user_id, id, created_at) "
    "VALUES (%(user)s, gen_random_uuid(), now())",
    "turns": "INSERT INTO sayso.turns (user_id, conversation_id, number, id, client_message_id, message, state, "
    "answer, trail_number, created_at) "
    "VALUES (%(user)s, %(conversation)s, 999, gen_random_uuid(), 'x', 'x', 'done', '{}', 1, now())",
    "cards": "INSERT INTO sayso.cards (user_id, id, conversation_id, turn_number, tool, definition, asked, digest, "
    "expires_at) VALUES (%(user)s, gen_random_uuid(), %(conversation)s, 1, 'x', 'x', '{}', 'x', now())",
    "preferences": "INSERT INTO sayso.preferences (user_id, chose, said, used_at) VALUES (%(user)s, 'x', 'x', now())",
    "backs": "INSERT INTO sayso.backs (user_id, number, back, created_at) VALUES (%(user)s, 999, '{}', now())",
    "trail": "INSERT INTO sayso.trail (user_id, number, at, kind, body_hash, hash) "
    "VALUES (%(user)s, 999, now(), 'x', 'x', 'x')",
    "trails": "INSERT INTO sayso.trails (user_id, number, hash) VALUES (%(user)s || '+', 0, 'x')",
    "changes": "INSERT INTO sayso.changes (user_id, number) VALUES (%(user)s || '+', 1)",
    "occurrences": "INSERT INTO sayso.occurrences (user_id, task_id, version, repeat, completed_at) "
    "VALUES (%(user)s, %(task)s, 999, 'FREQ=DAILY', now())",
    "reminder_settings": "INSERT INTO sayso.reminder_settings (user_id) VALUES (%(user)s || '+')",
    "reminders": "INSERT INTO sayso.reminders (user_id, id, task_id, remind_at, rang_at) "
    "VALUES (%(user)s, gen_random_uuid(), gen_random_uuid(), now(), now())",
    "channels": "INSERT INTO sayso.channels (user_id, id, kind, label, sealed, mark, created_at) "
    "VALUES (%(user)s, gen_random_uuid(), 'push', 'x', 'x', 'x', now())",
    "deliveries": "INSERT INTO sayso.deliveries (user_id, id, task_id, remind_at, channel_id, created_at) "
    "VALUES (%(user)s, gen_random_uuid(), gen_random_uuid(), now(), gen_random_uuid(), now())",
    "grants": "INSERT INTO sayso.grants (user_id, id, sealed) VALUES (%(user)s, 'x', 'x')",
    "machines": "INSERT INTO sayso.machines (user_id, id, name, definition) VALUES (%(user)s, 'x', 'x', 'x')",
    "commands": "INSERT INTO sayso.commands (user_id, machine_id, id, place, name, destructive, takes_value) "
    "VALUES (%(user)s, %(machine)s, 'x', 1, 'x', false, false)",
    "metrics": "INSERT INTO sayso.metrics (user_id, machine_id, name, place) VALUES (%(user)s, %(machine)s, 'x', 1)",
    "readings": "INSERT INTO sayso.readings (user_id, machine_id, metric, at, value) "
    "VALUES (%(user)s, %(machine)s, 'x', now(), '1')",
    "orders": "INSERT INTO sayso.orders (user_id, id, body, machine_id, command_id, created_at, expires_at) "
    "VALUES (%(user)s, gen_random_uuid(), 'x', %(machine)s, 'x', now(), now())",
}
_ADDED_TO = ("users", "tasks", "words", "answers", "confirmations", "changes")
KEPT = tuple(name for name in TABLES if name not in _ADDED_TO)  # nothing the probes do adds to them
