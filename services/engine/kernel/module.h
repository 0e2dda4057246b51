/* What module.c and reply.c share. */
#ifndef DBDIAG_MODULE_H
#define DBDIAG_MODULE_H

#include "kernel.h"

enum { MOST_VIEWS = 32 };

/* What replies are made of: the snapshot, its ids and names, and the classes of model.py; nothing but objects. */
typedef struct {
    PyObject *snapshot, *snapshot_id, *version, *phenomenon_ids, *phenomena, *cause_ids, *causes,
        *phenomenon_index, *answer, *contribution, *hypothesis, *belief, *outcome, *recommendation, *conclusion, *contradiction, *diagnosis;
} Reply;

typedef struct {
    PyObject_HEAD
    Library library;
    Reply reply;
    Memory memory;
    int borrowed;
    Py_buffer views[MOST_VIEWS];
} Tables;
extern PyTypeObject *tables_type;
int make_tables_type(void);

/* A request, read and checked. */
typedef struct {
    Answer *answers;
    int count, *excluded, excluded_count, hypotheses, questions;
    double threshold;
    Py_buffer room;
} Asked;

/* All numbers of a reply; bits and order are room for one hypothesis. */
typedef struct {
    State state;
    int hypotheses, asked, concluded, pair[2];
    double *bits, surprise, contradiction;
    Place *order;
    Question *questions;
    Outlook *outlooks;
    Verdict verdict;
} Numbers;

/* answers.read_answers for evidence that is plainly right; None for any other. */
PyObject *read_evidence(const Reply *reply, PyObject *evidence);
/* model.Diagnosis of the numbers; `answers` are those that were given. */
PyObject *reply_of(const Library *library, const Reply *reply, PyObject *answers, Numbers *numbers);

#endif
