/* The Tables object: the arrays of a model, borrowed from NumPy and checked, and the objects of its replies. */
#include <stdlib.h>

#include "module.h"

/* Borrows an array by name and checks the width of its numbers and, unless `count` is -1, their count. */
static const void *borrow(Tables *tables, PyObject *arrays, const char *name, Py_ssize_t width, Py_ssize_t count,
                          int flags) {
    PyObject *array = PyDict_GetItemString(arrays, name);
    Py_buffer *view = tables->views + tables->borrowed;
    if (array == NULL || tables->borrowed == MOST_VIEWS) {
        PyErr_Format(PyExc_KeyError, "no array %s", name);
        return NULL;
    }
    if (PyObject_GetBuffer(array, view, flags) < 0) return NULL;
    tables->borrowed++;
    if (view->itemsize != width || (count >= 0 && view->len != count * width)) {
        PyErr_Format(PyExc_ValueError, "array %s has %zd bytes of %zd each", name, view->len, view->itemsize);
        return NULL;
    }
    return view->buf;
}

static int borrow_all(Tables *tables, PyObject *arrays) {
    Model *model = &tables->model;
    Py_ssize_t ints = sizeof(int), doubles = sizeof(double);
#define BORROW(field, width, count) \
    if ((model->field = borrow(tables, arrays, #field, (width), (count), PyBUF_CONTIG_RO)) == NULL) return -1
    BORROW(starts, ints, -1);
    model->phenomena = (int)(tables->views[0].len / ints) - 1;
    BORROW(edge_cause, ints, -1);
    model->edges = (int)(tables->views[1].len / ints);
    BORROW(prior, doubles, -1);
    model->causes = (int)(tables->views[2].len / doubles) - 1;
    BORROW(surplus, (Py_ssize_t)sizeof(Surplus), model->edges);
    BORROW(prior_bits, doubles, model->causes + 1);
    BORROW(base, doubles, model->phenomena);
    BORROW(leak, doubles, model->phenomena);
    BORROW(base_entropy, doubles, model->phenomena);
    BORROW(leak_entropy, doubles, model->phenomena);
    BORROW(costs, ints, model->phenomena);
    BORROW(ticket_counts, ints, model->causes);
    BORROW(cause_order, ints, model->edges);
    BORROW(cause_starts, ints, model->causes + 1);
    BORROW(partners, ints, -1);
    model->redundant = tables->views[tables->borrowed - 1].len > 0;
    BORROW(rhos, doubles, tables->views[tables->borrowed - 1].len / ints);
    BORROW(partner_starts, ints, model->redundant ? model->phenomena + 1 : 0);
    BORROW(bound_phenomena, ints, -1);
    model->bound_count = (int)(tables->views[tables->borrowed - 1].len / ints);
    BORROW(bound_values, doubles, model->bound_count);
#undef BORROW
    const void *room = borrow(tables, arrays, "prior_sums", sizeof(Surplus), model->phenomena, PyBUF_CONTIG);
    if (room == NULL) return -1;
    model->prior_sums = room;
    sums_of_all(model, model->prior, (Surplus *)tables->views[tables->borrowed - 1].buf);
    return 0;
}

static int number_every_64th_edge(Model *model) {
    int count = model->edges / 64 + 1, phenomenon = 0;
    model->coarse = PyMem_Malloc(sizeof(int) * (size_t)count);
    if (model->coarse == NULL) return -1;
    for (int at = 0; at < count; at++) {
        while (phenomenon < model->phenomena - 1 && model->starts[phenomenon + 1] <= at * 64) phenomenon++;
        model->coarse[at] = phenomenon;
    }
    return 0;
}

/* Retains ids, names and classes, in the order of the fields of Reply. */
static int retain_all(Reply *reply, PyObject *parts) {
    PyObject **fields = (PyObject **)reply;
    Py_ssize_t count = sizeof(Reply) / sizeof(PyObject *);
    if (!PyTuple_Check(parts) || PyTuple_GET_SIZE(parts) != count) {
        PyErr_Format(PyExc_ValueError, "the parts of a reply must be a tuple of %zd", count);
        return -1;
    }
    for (Py_ssize_t at = 0; at < count; at++) fields[at] = Py_NewRef(PyTuple_GET_ITEM(parts, at));
    return 0;
}

static PyObject *tables_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    PyObject *arrays, *parts;
    double rest, dearest;
    Tables *tables;
    (void)keywords;
    if (!PyArg_ParseTuple(arguments, "O!Odd", &PyDict_Type, &arrays, &parts, &rest, &dearest)) return NULL;
    tables = (Tables *)type->tp_alloc(type, 0);
    if (tables == NULL) return NULL;
    tables->memory.first = 1 << 16;
    tables->model.rest = rest;
    tables->model.dearest = dearest;
    if (borrow_all(tables, arrays) < 0 || retain_all(&tables->reply, parts) < 0) {
        Py_DECREF(tables);
        return NULL;
    }
    if (number_every_64th_edge(&tables->model) < 0) {
        Py_DECREF(tables);
        return PyErr_NoMemory();
    }
    return (PyObject *)tables;
}

static void tables_dealloc(PyObject *self) {
    Tables *tables = (Tables *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject **held = (PyObject **)&tables->reply;
    for (int at = 0; at < tables->borrowed; at++) PyBuffer_Release(tables->views + at);
    for (size_t at = 0; at < sizeof(Reply) / sizeof(PyObject *); at++) Py_XDECREF(held[at]);
    PyMem_Free(tables->model.coarse);
    release(&tables->memory);
    free(tables->memory.last);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyType_Slot tables_slots[] = {
    {Py_tp_new, tables_new},
    {Py_tp_dealloc, tables_dealloc},
    {Py_tp_doc, "The arrays of a model, and the objects that replies consist of."},
    {0, NULL},
};
static PyType_Spec tables_spec = {"services.engine.kernel._kernel.Tables", sizeof(Tables), 0, Py_TPFLAGS_DEFAULT, tables_slots};
PyTypeObject *tables_type;

int make_tables_type(void) {
    tables_type = (PyTypeObject *)PyType_FromSpec(&tables_spec);
    return tables_type == NULL ? -1 : 0;
}
