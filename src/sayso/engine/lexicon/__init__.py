"""The words of a language: their forms, stems and classes, with typos forgiven."""
