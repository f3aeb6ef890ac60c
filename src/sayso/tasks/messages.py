"""What the tools say, in the user's language where we have it. The words themselves are in messages.yaml."""

from __future__ import annotations

from pathlib import Path

from sayso.serving.messages import Messages

say = Messages(Path(__file__).with_name("messages.yaml")).say
