/* The reply's objects, of the classes in model.py: all of them are named tuples. */
#include "module.h"

enum { MOST_TICKETS = 5 };

/* Names of attributes, made once. */
static PyObject *recording_name, *groups_name, *phenomena_name, *id_name;

int make_names(void) {
    recording_name = PyUnicode_InternFromString("recording");
    groups_name = PyUnicode_InternFromString("tickets_by_cause");
    phenomena_name = PyUnicode_InternFromString("phenomena");
    id_name = PyUnicode_InternFromString("ticket_id");
    return recording_name && groups_name && phenomena_name && id_name ? 0 : -1;
}

static PyObject *empty(PyObject *type, Py_ssize_t size) {
    return type == NULL ? PyTuple_New(size) : ((PyTypeObject *)type)->tp_alloc((PyTypeObject *)type, size);
}

/* Puts an object of ours into a new tuple. Returns 1 where there is none. */
static int put(PyObject *tuple, Py_ssize_t at, PyObject *item) {
    PyTuple_SET_ITEM(tuple, at, item);
    return item == NULL;
}

static PyObject *at_place(PyObject *tuple, int at) { return Py_NewRef(PyTuple_GET_ITEM(tuple, at)); }

static PyObject *finished(PyObject *tuple, int failed) {
    if (failed) Py_CLEAR(tuple);
    return tuple;
}

static PyObject *ids_at(PyObject *ids, const int *places, int count) {
    PyObject *found = PyTuple_New(count);
    if (found == NULL) return NULL;
    for (int at = 0; at < count; at++) put(found, at, at_place(ids, places[at]));
    return found;
}

/* snapshot.recording(cause).get(phenomenon, ()), borrowed. */
static PyObject *tickets_of(PyObject *recording, PyObject *phenomenon) {
    static PyObject *none = NULL;
    if (none == NULL && (none = PyTuple_New(0)) == NULL) return NULL;
    PyObject *found = PyDict_GetItemWithError(recording, phenomenon);
    return found != NULL || PyErr_Occurred() ? found : none;
}

static PyObject *contribution(const Library *library, const Reply *reply, PyObject *answer, PyObject *recording,
                              int cause, double bits) {
    PyObject *phenomenon = PyTuple_GET_ITEM(answer, 0), *tickets = tickets_of(recording, phenomenon);
    PyObject *found = tickets == NULL ? NULL : empty(reply->contribution, 9);
    int place = (int)PyLong_AsLong(phenomenon), failed = 0;
    if (found == NULL) return NULL;
    Py_ssize_t hits = PyTuple_GET_SIZE(tickets);
    failed |= put(found, 0, at_place(reply->phenomenon_ids, place));
    failed |= put(found, 1, at_place(answer, 1));
    failed |= put(found, 2, at_place(answer, 2));
    failed |= put(found, 3, PyFloat_FromDouble(bits));
    failed |= put(found, 4, PyFloat_FromDouble(rate_of(library, place, cause)));
    failed |= put(found, 5, PyFloat_FromDouble(library->base[place]));
    failed |= put(found, 6, PyLong_FromSsize_t(hits));
    failed |= put(found, 7, PyLong_FromLong(library->ticket_counts[cause]));
    failed |= put(found, 8, hits > MOST_TICKETS ? PyTuple_GetSlice(tickets, 0, MOST_TICKETS) : Py_NewRef(tickets));
    return finished(found, failed);
}

/* By falling absolute bits, ties by id. */
static PyObject *contributions_of(const Library *library, const Reply *reply, PyObject *answers, Numbers *numbers,
                                  int cause) {
    Py_ssize_t count = PyTuple_GET_SIZE(answers);
    PyObject *number = PyLong_FromLong(cause), *found, *recording;
    if (number == NULL) return NULL;
    recording = PyObject_CallMethodOneArg(reply->snapshot, recording_name, number);
    Py_DECREF(number);
    if (recording == NULL || (found = PyTuple_New(count)) == NULL) {
        Py_XDECREF(recording);
        return NULL;
    }
    int failed = 0;
    contributions(&numbers->state, cause, numbers->bits);
    for (int at = 0; at < count; at++) numbers->order[at] = (Place){fabs(key_of(numbers->bits[at])), at};
    sort_places(numbers->order, count);
    for (int at = 0; at < count && !failed; at++) {
        int place = numbers->order[at].at;
        PyObject *answer = PyTuple_GET_ITEM(answers, place);
        failed |= put(found, at, contribution(library, reply, answer, recording, cause, shown(numbers->bits[place])));
    }
    Py_DECREF(recording);
    return finished(found, failed);
}

static PyObject *hypothesis(const Library *library, const Reply *reply, PyObject *answers, Numbers *numbers,
                            Place leader) {
    PyObject *found = empty(reply->hypothesis, 7);
    double confidence = shown_key(leader.key);
    int failed = 0;
    if (found == NULL) return NULL;
    failed |= put(found, 0, at_place(reply->cause_ids, leader.at));
    failed |= put(found, 1, at_place(reply->causes, leader.at));
    failed |= put(found, 2, PyFloat_FromDouble(confidence));
    failed |= put(found, 3, PyFloat_FromDouble(least_of(1.0, confidence)));
    failed |= put(found, 4, PyFloat_FromDouble(0.0));
    failed |= put(found, 5, PyFloat_FromDouble(library->prior[leader.at]));
    failed |= put(found, 6, contributions_of(library, reply, answers, numbers, leader.at));
    return finished(found, failed);
}

static PyObject *outcome(const Reply *reply, double probability, const Leader *leaders, int count) {
    PyObject *found = empty(reply->outcome, 2), *beliefs = PyTuple_New(count);
    int failed = found == NULL || beliefs == NULL;
    for (int at = 0; at < count && !failed; at++) {
        PyObject *belief = empty(reply->belief, 2);
        failed |= put(beliefs, at, belief);
        if (failed) break;
        failed |= put(belief, 0, at_place(reply->cause_ids, leaders[at].cause));
        failed |= put(belief, 1, PyFloat_FromDouble(leaders[at].belief));
    }
    if (found == NULL) {
        Py_XDECREF(beliefs);
        return NULL;
    }
    failed |= put(found, 1, beliefs);
    failed |= put(found, 0, PyFloat_FromDouble(probability));
    return finished(found, failed);
}

static PyObject *recommendation(const Library *library, const Reply *reply, const Question *question,
                                const Outlook *outlook) {
    PyObject *found = empty(reply->recommendation, 10);
    int failed = 0;
    if (found == NULL) return NULL;
    failed |= put(found, 0, at_place(reply->phenomenon_ids, question->phenomenon));
    failed |= put(found, 1, at_place(reply->phenomena, question->phenomenon));
    failed |= put(found, 2, PyFloat_FromDouble(shown(question->bits)));
    failed |= put(found, 3, PyFloat_FromDouble(shown(question->score)));
    failed |= put(found, 4, PyLong_FromLong(library->costs[question->phenomenon]));
    failed |= put(found, 5, ids_at(reply->cause_ids, outlook->told_apart, outlook->apart));
    failed |= put(found, 6, PyFloat_FromDouble(outlook->leader[0]));
    failed |= put(found, 7, PyFloat_FromDouble(outlook->leader[1]));
    failed |= put(found, 8, outcome(reply, question->yes, outlook->sides[0], outlook->shown));
    failed |= put(found, 9, outcome(reply, 1.0 - question->yes, outlook->sides[1], outlook->shown));
    return finished(found, failed);
}

/* What a ticket has of an answer: 1 where it records what was confirmed, -1 what was denied. */
static int records(const Told *told, long phenomenon) {
    int first = 0, last = told->size;
    while (first < last) {
        int middle = first + (last - first) / 2;
        if (told->answers[middle].phenomenon < phenomenon) first = middle + 1;
        else last = middle;
    }
    if (first == told->size || told->answers[first].phenomenon != phenomenon) return 0;
    return told->answers[first].verdict == CONFIRMED ? 1 : -1;
}

/* Whether the ticket with these numbers is more like the answers than another: less against it, then less beside. */
typedef struct {
    long against, beside;
    Py_ssize_t at;
} Likeness;

static int is_more_alike(Likeness left, Likeness right) {
    return left.against < right.against || (left.against == right.against && left.beside < right.beside);
}

/* conclude._alike: the leader's tickets that are most like the answers, ties by id. */
static PyObject *alike(const Reply *reply, const State *state, int leader) {
    PyObject *groups = PyObject_GetAttr(reply->snapshot, groups_name), *found = NULL;
    if (groups == NULL) return NULL;
    PyObject *tickets = PyTuple_GET_ITEM(groups, leader);
    Likeness best[MOST_TICKETS];
    int count = 0;
    for (Py_ssize_t ticket = 0; ticket < PyTuple_GET_SIZE(tickets); ticket++) {
        PyObject *recorded = PyObject_GetAttr(PyTuple_GET_ITEM(tickets, ticket), phenomena_name);
        if (recorded == NULL) goto done;
        Likeness one = {0, PyTuple_GET_SIZE(recorded), ticket};
        for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(recorded); at++) {
            int says = records(&state->told, PyLong_AsLong(PyTuple_GET_ITEM(recorded, at)));
            one.against -= says;
            one.beside -= says > 0;
        }
        Py_DECREF(recorded);
        int place = count < MOST_TICKETS ? count++ : MOST_TICKETS;
        for (; place > 0 && is_more_alike(one, best[place - 1]); place--)
            if (place < MOST_TICKETS) best[place] = best[place - 1];
        if (place < MOST_TICKETS) best[place] = one;
    }
    found = PyTuple_New(count);
    for (int at = 0; found != NULL && at < count; at++)
        if (put(found, at, PyObject_GetAttr(PyTuple_GET_ITEM(tickets, best[at].at), id_name)))
            Py_CLEAR(found);
done:
    Py_DECREF(groups);
    return found;
}

/* The ids of answers by their positions. */
static PyObject *answered_ids(const Reply *reply, const State *state, const int *places, int count) {
    PyObject *found = PyTuple_New(count);
    for (int at = 0; found != NULL && at < count; at++)
        put(found, at, at_place(reply->phenomenon_ids, state->answers[places[at]].phenomenon));
    return found;
}

static PyObject *conclusion(const Reply *reply, const Numbers *numbers) {
    if (!numbers->concluded) return Py_NewRef(Py_None);
    const Verdict *said = &numbers->verdict;
    const State *state = &numbers->state;
    Place leader = state->leaders[0];
    PyObject *found = empty(reply->conclusion, 10), *ids = reply->phenomenon_ids;
    int failed = 0, second = said->second;
    if (found == NULL) return NULL;
    failed |= put(found, 0, at_place(reply->cause_ids, leader.at));
    failed |= put(found, 1, at_place(reply->causes, leader.at));
    failed |= put(found, 2, PyFloat_FromDouble(shown_key(leader.key)));
    failed |= put(found, 3, answered_ids(reply, state, said->supporting, said->supporting_count));
    failed |= put(found, 4, answered_ids(reply, state, said->conflicting, said->conflicting_count));
    failed |= put(found, 5, ids_at(ids, said->unchecked, said->unchecked_count));
    failed |= put(found, 6, ids_at(ids, said->unexplained, said->unexplained_count));
    failed |= put(found, 7, alike(reply, state, leader.at));
    failed |= put(found, 8, second < 0 ? Py_NewRef(Py_None) : at_place(reply->cause_ids, second));
    failed |= put(found, 9, second < 0 ? Py_NewRef(Py_None) : PyFloat_FromDouble(said->second_confidence));
    return finished(found, failed);
}

static PyObject *contradicting(const Reply *reply, const Numbers *numbers) {
    if (numbers->contradiction == 0.0) return Py_NewRef(Py_None);
    PyObject *found = empty(reply->contradiction, 3);
    const Answer *answers = numbers->state.told.answers;
    int failed = 0;
    if (found == NULL) return NULL;
    for (int at = 0; at < 2; at++)
        failed |= put(found, at, at_place(reply->phenomenon_ids, answers[numbers->pair[at]].phenomenon));
    failed |= put(found, 2, PyFloat_FromDouble(numbers->contradiction));
    return finished(found, failed);
}

PyObject *reply_of(const Library *library, const Reply *reply, PyObject *answers, Numbers *numbers) {
    PyObject *found = empty(reply->diagnosis, 10), *hypotheses, *recommendations;
    int failed = 0;
    if (found == NULL) return NULL;
    failed |= put(found, 0, Py_NewRef(reply->snapshot_id));
    failed |= put(found, 1, Py_NewRef(reply->version));
    failed |= put(found, 2, hypotheses = PyTuple_New(numbers->hypotheses));
    failed |= put(found, 3, recommendations = PyTuple_New(numbers->asked));
    for (int at = 0; at < numbers->hypotheses && !failed; at++)
        failed |= put(hypotheses, at, hypothesis(library, reply, answers, numbers, numbers->state.leaders[at]));
    for (int at = 0; at < numbers->asked && !failed; at++)
        failed |= put(recommendations, at,
                      recommendation(library, reply, numbers->questions + at, numbers->outlooks + at));
    if (failed) return finished(found, failed);
    failed |= put(found, 4, conclusion(reply, numbers));
    failed |= put(found, 5, PyFloat_FromDouble(numbers->state.belief[library->causes]));
    failed |= put(found, 6, PyFloat_FromDouble(numbers->state.entropy));
    failed |= put(found, 7, PyFloat_FromDouble(numbers->surprise));
    failed |= put(found, 8, PyLong_FromLong(library->causes));
    failed |= put(found, 9, contradicting(reply, numbers));
    return finished(found, failed);
}
