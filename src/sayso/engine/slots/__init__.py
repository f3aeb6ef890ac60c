"""The arguments of a call: which words fill which slot, and what they mean."""
