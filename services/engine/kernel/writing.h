/* The interface of writing.c. */
#ifndef DBDIAG_WRITING_H
#define DBDIAG_WRITING_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* The canonical bytes of the DiagnoseResponse of a model.Diagnosis. */
PyObject *write_diagnosis(PyObject *module, PyObject *diagnosis);

#endif
