"""Where rules and classifier differ about a clause: which of both holds."""
