"""The trained classifiers of clauses and of whole messages, and the spelling that they know."""
