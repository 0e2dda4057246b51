"""Text read for likeness: pieces, concepts of the glossary, topics."""
