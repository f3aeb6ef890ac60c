"""Messages of the tools in the user's language. The texts are in messages.yaml."""

from __future__ import annotations

from pathlib import Path

from sayso.serving.messages import Messages

say = Messages(Path(__file__).with_name("messages.yaml")).say
