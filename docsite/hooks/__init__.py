"""What MkDocs is told beyond mkdocs.yml: where pages stand, what they link to, what they need."""
