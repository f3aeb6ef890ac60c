"""Questions to the person: their text, the browser pages that show them, answers that count once."""
