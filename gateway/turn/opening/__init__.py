"""How a case begins: whose library it is on, the question that parts the usual causes, the look to run."""
