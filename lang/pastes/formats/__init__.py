"""The forms of pasted output: each reads the lines that it recognises as a block, and leaves the others."""
