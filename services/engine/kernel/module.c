/* The Python module: functions of the tables of a model and a request. */
#include <stdlib.h>

#include "module.h"
#include "writing.h"

/* Converts the answers, which are sorted by phenomenon. */
static int read_answers(const Model *model, Memory *memory, PyObject *answers, Answer **found) {
    Py_ssize_t count = PyTuple_GET_SIZE(answers);
    *found = TAKE(memory, Answer, count);
    for (Py_ssize_t at = 0; at < count; at++) {
        PyObject *item = PyTuple_GET_ITEM(answers, at);
        if (!PyTuple_Check(item) || PyTuple_GET_SIZE(item) != 3) {
            PyErr_SetString(PyExc_TypeError, "an answer is a phenomenon, a verdict and a score");
            return -1;
        }
        Answer *answer = *found + at;
        answer->phenomenon = (int)PyLong_AsLong(PyTuple_GET_ITEM(item, 0));
        answer->verdict = (int)PyLong_AsLong(PyTuple_GET_ITEM(item, 1));
        answer->score = PyFloat_AsDouble(PyTuple_GET_ITEM(item, 2));
        if (PyErr_Occurred()) return -1;
        if (answer->phenomenon < 0 || answer->phenomenon >= model->phenomena) {
            PyErr_Format(PyExc_IndexError, "no phenomenon %d", answer->phenomenon);
            return -1;
        }
    }
    return 0;
}

static int read_positions(const Model *model, Memory *memory, PyObject *positions, int **found) {
    Py_ssize_t count = PyTuple_GET_SIZE(positions);
    *found = TAKE(memory, int, count);
    for (Py_ssize_t at = 0; at < count; at++) {
        long position = PyLong_AsLong(PyTuple_GET_ITEM(positions, at));
        if (position < 0 || position >= model->phenomena) {
            if (!PyErr_Occurred()) PyErr_Format(PyExc_IndexError, "no phenomenon %ld", position);
            return -1;
        }
        (*found)[at] = (int)position;
    }
    return 0;
}

/* Computes all numbers of a reply. */
static void work_out(const Model *model, Memory *memory, const Asked *asked, Numbers *numbers) {
    State *state = &numbers->state;
    int hypotheses = asked->hypotheses < model->causes ? asked->hypotheses : model->causes;
    *state = posterior(model, memory, asked->answers, asked->count);
    find_leaders(model, memory, state, hypotheses > LEADING ? hypotheses : LEADING);
    numbers->hypotheses = hypotheses;
    numbers->bits = TAKE(memory, double, asked->count);
    numbers->order = TAKE(memory, Place, asked->count);
    numbers->questions = TAKE(memory, Question, asked->questions);
    numbers->outlooks = TAKE(memory, Outlook, asked->questions);
    numbers->asked = best_questions(model, memory, state, asked->excluded, asked->excluded_count, asked->questions,
                                    numbers->questions);
    outlooks(model, memory, state, numbers->questions, numbers->asked, numbers->outlooks);
    int leader = state->leaders[0].at;
    numbers->concluded = conclude(model, memory, state, asked->threshold, &numbers->verdict);
    numbers->surprise = surprise_bits(memory, state, leader);
    numbers->contradiction = contradiction(model, memory, state, leader, numbers->pair);
}

/* The work on a converted request; `answers` are the Python objects. */
typedef PyObject *(*Act)(Tables *tables, Memory *memory, PyObject *answers, Asked *asked);

/* Runs an act with its own memory: while it creates Python objects, another thread may use the same tables. */
static PyObject *run(Act act, PyObject *tables_of, PyObject *answers, PyObject *excluded, Asked *asked) {
    jmp_buf without;
    PyObject *volatile found = NULL;
    if (!Py_IS_TYPE(tables_of, tables_type) || !PyTuple_Check(answers) || !PyTuple_Check(excluded)) {
        PyErr_SetString(PyExc_TypeError, "expected tables, answers and excluded phenomena");
        return NULL;
    }
    Tables *tables = (Tables *)tables_of;
    Memory memory = tables->memory;
    tables->memory.last = NULL;
    memory.without = &without;
    if (setjmp(without)) {
        PyErr_NoMemory();
    } else if (read_answers(&tables->model, &memory, answers, &asked->answers) == 0 &&
               read_positions(&tables->model, &memory, excluded, &asked->excluded) == 0) {
        asked->count = (int)PyTuple_GET_SIZE(answers);
        asked->excluded_count = (int)PyTuple_GET_SIZE(excluded);
        found = act(tables, &memory, answers, asked);
    }
    release(&memory);
    if (tables->memory.last == NULL) tables->memory = memory;
    else free(memory.last);
    return found;
}

static int are(Py_ssize_t count, Py_ssize_t wanted) {
    if (count != wanted) PyErr_Format(PyExc_TypeError, "expected %zd arguments, not %zd", wanted, count);
    return count == wanted;
}

static PyObject *act_diagnose(Tables *tables, Memory *memory, PyObject *answers, Asked *asked) {
    Numbers numbers = {0};
    work_out(&tables->model, memory, asked, &numbers);
    return reply_of(&tables->model, &tables->reply, answers, &numbers);
}

/* Tables, answers, excluded phenomena, counts of hypotheses and questions, threshold -> model.Diagnosis. */
static PyObject *diagnose(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    Asked asked = {0};
    (void)module;
    if (!are(count, 6)) return NULL;
    asked.hypotheses = (int)PyLong_AsLong(arguments[3]);
    asked.questions = (int)PyLong_AsLong(arguments[4]);
    asked.threshold = PyFloat_AsDouble(arguments[5]);
    return PyErr_Occurred() ? NULL : run(act_diagnose, arguments[0], arguments[1], arguments[2], &asked);
}

static PyObject *act_believe(Tables *tables, Memory *memory, PyObject *answers, Asked *asked) {
    size_t bytes = sizeof(double) * (size_t)(tables->model.causes + 1);
    State state = posterior(&tables->model, memory, asked->answers, asked->count);
    (void)answers;
    if (asked->room.len != (Py_ssize_t)bytes) {
        PyErr_SetString(PyExc_ValueError, "room for a belief of another size");
        return NULL;
    }
    memcpy(asked->room.buf, state.belief, bytes);
    return PyFloat_FromDouble(state.entropy);
}

/* Runs an act that fills a buffer: the arguments are tables, answers and the buffer. */
static PyObject *run_into(Act act, PyObject *const *arguments) {
    Asked asked = {0};
    PyObject *none, *found = NULL;
    if (PyObject_GetBuffer(arguments[2], &asked.room, PyBUF_CONTIG) < 0) return NULL;
    if ((none = PyTuple_New(0)) != NULL) found = run(act, arguments[0], arguments[1], none, &asked);
    Py_XDECREF(none);
    PyBuffer_Release(&asked.room);
    return found;
}

/* Tables, answers, buffer for the belief (R+1) -> the entropy of the belief in bits. */
static PyObject *believe(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    (void)module;
    return are(count, 3) ? run_into(act_believe, arguments) : NULL;
}

static PyObject *act_conclude(Tables *tables, Memory *memory, PyObject *answers, Asked *asked) {
    Verdict said = {0};
    State state = posterior(&tables->model, memory, asked->answers, asked->count);
    (void)answers;
    find_leaders(&tables->model, memory, &state, LEADING);
    return PyBool_FromLong(conclude(&tables->model, memory, &state, asked->threshold, &said));
}

/* Tables, answers, threshold -> True if the leading cause is concluded. */
static PyObject *is_concluded(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    Asked asked = {0};
    PyObject *none, *found = NULL;
    (void)module;
    if (!are(count, 3)) return NULL;
    asked.threshold = PyFloat_AsDouble(arguments[2]);
    if (PyErr_Occurred()) return NULL;
    if ((none = PyTuple_New(0)) != NULL) found = run(act_conclude, arguments[0], arguments[1], none, &asked);
    Py_XDECREF(none);
    return found;
}

static PyObject *act_ask(Tables *tables, Memory *memory, PyObject *answers, Asked *asked) {
    Question *questions = TAKE(memory, Question, asked->questions);
    State state = posterior(&tables->model, memory, asked->answers, asked->count);
    int count = best_questions(&tables->model, memory, &state, asked->excluded, asked->excluded_count,
                               asked->questions, questions);
    PyObject *found = PyList_New(count);
    (void)answers;
    for (int at = 0; found != NULL && at < count; at++) {
        Question *one = questions + at;
        PyObject *row = Py_BuildValue("iddd", one->phenomenon, one->yes, one->bits, one->score);
        PyList_SET_ITEM(found, at, row);
        if (row == NULL) Py_CLEAR(found);
    }
    return found;
}

/* Tables, answers, excluded phenomena, count -> the best questions: phenomenon, P(yes), gain in bits, rank score. */
static PyObject *best(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    Asked asked = {0};
    (void)module;
    if (!are(count, 4)) return NULL;
    asked.questions = (int)PyLong_AsLong(arguments[3]);
    return PyErr_Occurred() ? NULL : run(act_ask, arguments[0], arguments[1], arguments[2], &asked);
}

static PyObject *act_expect(Tables *tables, Memory *memory, PyObject *answers, Asked *asked) {
    const Model *model = &tables->model;
    Py_ssize_t bytes = 2 * model->phenomena * (Py_ssize_t)sizeof(double);
    State state = posterior(model, memory, asked->answers, asked->count);
    (void)answers;
    if (asked->room.len != bytes) {
        PyErr_SetString(PyExc_ValueError, "the buffer has the wrong size");
        return NULL;
    }
    double *yes = asked->room.buf;
    expected_of_all(model, &state, yes, yes + model->phenomena);
    Py_RETURN_NONE;
}

/* Tables, answers, buffer for P(yes) and the expected entropy of the answer, by phenomenon (2, P). */
static PyObject *expect(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    (void)module;
    return are(count, 3) ? run_into(act_expect, arguments) : NULL;
}

/* Tables, evidence -> answers by phenomenon, or None; see evidence.c. */
static PyObject *read_plain(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    (void)module;
    if (!are(count, 2)) return NULL;
    if (!Py_IS_TYPE(arguments[0], tables_type) || !PyTuple_Check(arguments[1])) {
        PyErr_SetString(PyExc_TypeError, "expected tables and evidence");
        return NULL;
    }
    return read_evidence(&((Tables *)arguments[0])->reply, arguments[1]);
}

/* The tables of numerics.py: logarithms, terms of atanh, roots of 2, terms of a power. */
static PyObject *prepare(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    double *places[] = {number_tables.logs, number_tables.atanh, number_tables.roots, number_tables.power};
    const Py_ssize_t sizes[] = {STEPS + 1, ATANH_TERMS, PARTS, POWER_TERMS};
    (void)module;
    for (int table = 0; table < 4; table++) {
        if (count != 4 || !PyList_Check(arguments[table]) || PyList_GET_SIZE(arguments[table]) != sizes[table]) {
            PyErr_SetString(PyExc_ValueError, "tables of other sizes than the kernel's");
            return NULL;
        }
        for (Py_ssize_t at = 0; at < sizes[table]; at++)
            places[table][at] = PyFloat_AsDouble(PyList_GET_ITEM(arguments[table], at));
    }
    if (PyErr_Occurred()) return NULL;
    prepare_bounds();
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"prepare", (PyCFunction)(void (*)(void))prepare, METH_FASTCALL, "Copies the tables of numerics.py."},
    {"read", (PyCFunction)(void (*)(void))read_plain, METH_FASTCALL, "The answers of valid evidence without repetition; None for other evidence."},
    {"diagnose", (PyCFunction)(void (*)(void))diagnose, METH_FASTCALL, "The Diagnosis of answers."},
    {"believe", (PyCFunction)(void (*)(void))believe, METH_FASTCALL, "The belief under answers, and its entropy."},
    {"is_concluded", (PyCFunction)(void (*)(void))is_concluded, METH_FASTCALL, "True if the leader is concluded."},
    {"best", (PyCFunction)(void (*)(void))best, METH_FASTCALL, "The best open questions."},
    {"expect", (PyCFunction)(void (*)(void))expect, METH_FASTCALL, "P(yes) and the expected entropy of the answer, by phenomenon."},
    {"write_diagnosis", write_diagnosis, METH_O, "The canonical bytes of the DiagnoseResponse of a Diagnosis."},
    {NULL, NULL, 0, NULL},
};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_kernel", "The compiled twin of a whole Diagnose.", -1, functions, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__kernel(void) {
    PyObject *module = PyModule_Create(&definition);
    if (module == NULL) return NULL;
    if (make_names() < 0 || make_tables_type() < 0 || PyModule_AddObjectRef(module, "Tables", (PyObject *)tables_type) < 0 ||
        PyModule_AddStringConstant(module, "BUILT_FROM", BUILT_FROM) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
