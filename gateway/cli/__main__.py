"""`python -m gateway.cli` is `dbdiag`."""

import sys

from gateway.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
