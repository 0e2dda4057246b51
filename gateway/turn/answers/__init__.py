"""How a message answers what was asked: by words, by a name, by a number that its words outweigh."""
