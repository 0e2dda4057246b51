"""The team that answers a question: a captain, a semantic parser, an SQL generator and a result evaluator."""
