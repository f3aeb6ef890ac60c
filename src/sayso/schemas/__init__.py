"""The published JSON Schemas of the decision contract: case.schema.json and answer.schema.json, made by generate.py."""
