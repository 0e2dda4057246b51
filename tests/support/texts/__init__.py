"""What people and programs write, made or written by hand: tables, outputs, secrets, instructions."""
