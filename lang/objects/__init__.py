"""Objects of somebody's system: which session, table or slot it is, and the steps that act on them."""

from lang.objects.blanks import bind, blanks_in
from lang.objects.kinds_and_roles import (
    HOLDS,
    PID,
    Role,
    Seen,
    candidates,
    identifiers_in,
    is_name,
    is_object,
    kind_of,
    later_role,
    names_to_bind,
    object_of,
    objects_in,
    role_told,
)

__all__ = [
    "HOLDS",
    "PID",
    "Role",
    "Seen",
    "bind",
    "blanks_in",
    "candidates",
    "identifiers_in",
    "is_name",
    "is_object",
    "kind_of",
    "later_role",
    "names_to_bind",
    "object_of",
    "objects_in",
    "role_told",
]
