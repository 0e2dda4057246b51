/* Declarations that module.c, tables.c, evidence.c and reply.c share. */
#ifndef DBDIAG_MODULE_H
#define DBDIAG_MODULE_H

#include "kernel.h"

enum { MOST_VIEWS = 32 };

/* The objects that replies consist of: the snapshot, its ids and names, and the classes of model.py. */
typedef struct {
    PyObject *snapshot, *snapshot_id, *version, *phenomenon_ids, *phenomena, *cause_ids, *causes,
        *phenomenon_index, *answer, *contribution, *hypothesis, *belief, *outcome, *recommendation, *conclusion, *contradiction, *diagnosis;
} Reply;

typedef struct {
    PyObject_HEAD
    Model model;
    Reply reply;
    Memory memory;
    int borrowed;
    Py_buffer views[MOST_VIEWS];
} Tables;
extern PyTypeObject *tables_type;
int make_tables_type(void);
/* Interns the names that reply.c needs. */
int make_names(void);

/* A converted and checked request. */
typedef struct {
    Answer *answers;
    int count, *excluded, excluded_count, hypotheses, questions;
    double threshold;
    Py_buffer room;
} Asked;

/* All numbers of a reply; bits and order are buffers for one hypothesis. */
typedef struct {
    State state;
    int hypotheses, asked, concluded, pair[2];
    double *bits, surprise, contradiction;
    Place *order;
    Question *questions;
    Outlook *outlooks;
    Verdict verdict;
} Numbers;

/* See evidence.c. */
PyObject *read_evidence(const Reply *reply, PyObject *evidence);
/* Creates the model.Diagnosis; `answers` are the Python objects of the request. */
PyObject *reply_of(const Model *model, const Reply *reply, PyObject *answers, Numbers *numbers);

#endif
