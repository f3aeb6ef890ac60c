"""The suite: everything that is measured, one module per kind of measure, and the report that says how it came out."""
