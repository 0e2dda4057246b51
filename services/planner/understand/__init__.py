"""What a message asks for, by rules: text -> clauses -> tokens -> one reading a clause -> the turn plan.

Structure is parsed (polarity, scope, reference, interrogation); the word lists are closed classes: function words,
negations, numerals, markers of a guess or of a change.
"""
