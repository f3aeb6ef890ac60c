"""The inbox: open questions, the trail and devices on pages of the gateway, and notifications about new questions."""
