/* The twin of evidence.read_answers for valid evidence without repetition; read_answers judges all other evidence. */
#include "module.h"

/* Longer evidence is not worth a fast path. */
enum { MOST_PLAIN = 64 };

/* One answer; None if it is unknown, without a verdict, out of range, or not a tuple. */
static PyObject *plain_answer(const Reply *reply, PyObject *item) {
    if (!PyTuple_Check(item) || PyTuple_GET_SIZE(item) != 3) Py_RETURN_NONE;
    PyObject *name = PyTuple_GET_ITEM(item, 0), *verdict = PyTuple_GET_ITEM(item, 1), *score = PyTuple_GET_ITEM(item, 2);
    PyObject *phenomenon = PyUnicode_Check(name) ? PyDict_GetItemWithError(reply->phenomenon_index, name) : NULL;
    if (phenomenon == NULL) return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    if (!PyLong_Check(verdict) || PyLong_AsLong(verdict) < CONFIRMED || PyLong_AsLong(verdict) > UNKNOWN ||
        !PyFloat_CheckExact(score) || !(PyFloat_AS_DOUBLE(score) >= 0.0 && PyFloat_AS_DOUBLE(score) <= 1.0) ||
        signbit(PyFloat_AS_DOUBLE(score))) {
        if (PyErr_Occurred()) return NULL;
        Py_RETURN_NONE;
    }
    PyTypeObject *kind = (PyTypeObject *)reply->answer;
    PyObject *found = kind->tp_alloc(kind, 3);
    if (found == NULL) return NULL;
    PyTuple_SET_ITEM(found, 0, Py_NewRef(phenomenon));
    PyTuple_SET_ITEM(found, 1, Py_NewRef(verdict));
    PyTuple_SET_ITEM(found, 2, Py_NewRef(score));
    return found;
}

PyObject *read_evidence(const Reply *reply, PyObject *evidence) {
    Py_ssize_t count = PyTuple_GET_SIZE(evidence), at = 0;
    PyObject *found = count > MOST_PLAIN ? NULL : PyTuple_New(count);
    if (found == NULL) return count > MOST_PLAIN ? Py_NewRef(Py_None) : NULL;
    long places[MOST_PLAIN];
    for (; at < count; at++) {
        PyObject *answer = plain_answer(reply, PyTuple_GET_ITEM(evidence, at));
        if (answer == NULL || answer == Py_None) {
            Py_DECREF(found);
            return answer;
        }
        long place = PyLong_AsLong(PyTuple_GET_ITEM(answer, 0));
        Py_ssize_t before = at;
        for (; before > 0 && places[before - 1] > place; before--) {
            places[before] = places[before - 1];
            PyTuple_SET_ITEM(found, before, PyTuple_GET_ITEM(found, before - 1));
        }
        places[before] = place;
        PyTuple_SET_ITEM(found, before, answer);
        if (before > 0 && places[before - 1] == place) {
            /* Repeated: read_answers decides whether it is a contradiction. */
            Py_DECREF(found);
            Py_RETURN_NONE;
        }
    }
    return found;
}
