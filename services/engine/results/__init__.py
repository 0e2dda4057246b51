"""The parts of a reply: conclusion, recommendations, explanation, what-if, surprise, contradiction."""
