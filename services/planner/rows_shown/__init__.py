"""What the rows that a person pastes show by themselves, in words: rules over what columns mean, in YAML."""
