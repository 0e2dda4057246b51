"""What people, pasted outputs and checks say, in one vocabulary: readers, statements and the judge. Imports no room."""
