"""Questions to the user: their text, the browser pages that show them, answers that count once."""
