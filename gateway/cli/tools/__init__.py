"""The verbs audit, check-sql, match, replay and understand."""
