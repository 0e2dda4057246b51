"""What is raised inside the admission of a statement; it never leaves `admit`."""


class Refused(Exception):
    """The statement is not admitted; the message says why, in words for a person."""
