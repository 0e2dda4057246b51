/* Creates the objects of a reply, named tuples of model.py. */
#include "module.h"

enum { MOST_TICKETS = 5 };

/* Interned names of attributes. */
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

/* Moves an object into a new tuple. Returns 1 if the object is NULL. */
static int put(PyObject *tuple, Py_ssize_t at, PyObject *item) {
    PyTuple_SET_ITEM(tuple, at, item);
    return item == NULL;
}

static PyObject *at_place(PyObject *tuple, int at) { return Py_NewRef(PyTuple_GET_ITEM(tuple, at)); }

static PyObject *finish(PyObject *tuple, int failed) {
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

static PyObject *contribution(const Model *model, const Reply *reply, PyObject *answer, PyObject *recording,
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
    failed |= put(found, 4, PyFloat_FromDouble(rate_of(model, place, cause)));
    failed |= put(found, 5, PyFloat_FromDouble(model->base[place]));
    failed |= put(found, 6, PyLong_FromSsize_t(hits));
    failed |= put(found, 7, PyLong_FromLong(model->ticket_counts[cause]));
    failed |= put(found, 8, hits > MOST_TICKETS ? PyTuple_GetSlice(tickets, 0, MOST_TICKETS) : Py_NewRef(tickets));
    return finish(found, failed);
}

/* explanation.describe_contributions for one cause: by falling absolute bits, ties by id. */
static PyObject *contributions_of(const Model *model, const Reply *reply, PyObject *answers, Numbers *numbers,
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
        failed |= put(found, at, contribution(model, reply, answer, recording, cause, round_reported(numbers->bits[place])));
    }
    Py_DECREF(recording);
    return finish(found, failed);
}

static PyObject *hypothesis(const Model *model, const Reply *reply, PyObject *answers, Numbers *numbers,
                            Place leader) {
    PyObject *found = empty(reply->hypothesis, 7);
    double confidence = reported_key(leader.key);
    int failed = 0;
    if (found == NULL) return NULL;
    failed |= put(found, 0, at_place(reply->cause_ids, leader.at));
    failed |= put(found, 1, at_place(reply->causes, leader.at));
    failed |= put(found, 2, PyFloat_FromDouble(confidence));
    failed |= put(found, 3, PyFloat_FromDouble(least_of(1.0, confidence)));
    failed |= put(found, 4, PyFloat_FromDouble(0.0));
    failed |= put(found, 5, PyFloat_FromDouble(model->prior[leader.at]));
    failed |= put(found, 6, contributions_of(model, reply, answers, numbers, leader.at));
    return finish(found, failed);
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
    return finish(found, failed);
}

static PyObject *recommendation(const Model *model, const Reply *reply, const Question *question,
                                const Outlook *outlook) {
    PyObject *found = empty(reply->recommendation, 10);
    int failed = 0;
    if (found == NULL) return NULL;
    failed |= put(found, 0, at_place(reply->phenomenon_ids, question->phenomenon));
    failed |= put(found, 1, at_place(reply->phenomena, question->phenomenon));
    failed |= put(found, 2, PyFloat_FromDouble(round_reported(question->bits)));
    failed |= put(found, 3, PyFloat_FromDouble(round_reported(question->score)));
    failed |= put(found, 4, PyLong_FromLong(model->costs[question->phenomenon]));
    failed |= put(found, 5, ids_at(reply->cause_ids, outlook->separated, outlook->separated_count));
    failed |= put(found, 6, PyFloat_FromDouble(outlook->leader[0]));
    failed |= put(found, 7, PyFloat_FromDouble(outlook->leader[1]));
    failed |= put(found, 8, outcome(reply, question->yes, outlook->sides[0], outlook->shown));
    failed |= put(found, 9, outcome(reply, 1.0 - question->yes, outlook->sides[1], outlook->shown));
    return finish(found, failed);
}

/* 1 if the phenomenon was confirmed, -1 if it was denied, 0 if no counting answer is about it. */
static int records(const AnswerBits *answer_bits, int phenomenon) {
    int at = find_answer(answer_bits, phenomenon);
    return at < 0 ? 0 : answer_bits->answers[at].verdict == CONFIRMED ? 1 : -1;
}

/* The dissimilarity of a ticket to the answers: contradicting less agreeing phenomena, then unanswered ones. */
typedef struct {
    long against, beside;
    Py_ssize_t at;
} Likeness;

static int is_more_alike(Likeness left, Likeness right) {
    return left.against < right.against || (left.against == right.against && left.beside < right.beside);
}

/* conclusion._similar_tickets: the tickets of the leader that are most similar to the answers, ties by id. */
static PyObject *similar_tickets(const Reply *reply, const State *state, int leader) {
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
            int says = records(&state->answer_bits, (int)PyLong_AsLong(PyTuple_GET_ITEM(recorded, at)));
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

/* The phenomenon ids of the answers at these positions. */
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
    failed |= put(found, 2, PyFloat_FromDouble(reported_key(leader.key)));
    failed |= put(found, 3, answered_ids(reply, state, said->supporting, said->supporting_count));
    failed |= put(found, 4, answered_ids(reply, state, said->conflicting, said->conflicting_count));
    failed |= put(found, 5, ids_at(ids, said->unchecked, said->unchecked_count));
    failed |= put(found, 6, ids_at(ids, said->unexplained, said->unexplained_count));
    failed |= put(found, 7, similar_tickets(reply, state, leader.at));
    failed |= put(found, 8, second < 0 ? Py_NewRef(Py_None) : at_place(reply->cause_ids, second));
    failed |= put(found, 9, second < 0 ? Py_NewRef(Py_None) : PyFloat_FromDouble(said->second_confidence));
    return finish(found, failed);
}

static PyObject *contradiction_of(const Reply *reply, const Numbers *numbers) {
    if (numbers->contradiction == 0.0) return Py_NewRef(Py_None);
    PyObject *found = empty(reply->contradiction, 3);
    const Answer *answers = numbers->state.answer_bits.answers;
    int failed = 0;
    if (found == NULL) return NULL;
    for (int at = 0; at < 2; at++)
        failed |= put(found, at, at_place(reply->phenomenon_ids, answers[numbers->pair[at]].phenomenon));
    failed |= put(found, 2, PyFloat_FromDouble(numbers->contradiction));
    return finish(found, failed);
}

PyObject *reply_of(const Model *model, const Reply *reply, PyObject *answers, Numbers *numbers) {
    PyObject *found = empty(reply->diagnosis, 10), *hypotheses, *recommendations;
    int failed = 0;
    if (found == NULL) return NULL;
    failed |= put(found, 0, Py_NewRef(reply->snapshot_id));
    failed |= put(found, 1, Py_NewRef(reply->version));
    failed |= put(found, 2, hypotheses = PyTuple_New(numbers->hypotheses));
    failed |= put(found, 3, recommendations = PyTuple_New(numbers->asked));
    for (int at = 0; at < numbers->hypotheses && !failed; at++)
        failed |= put(hypotheses, at, hypothesis(model, reply, answers, numbers, numbers->state.leaders[at]));
    for (int at = 0; at < numbers->asked && !failed; at++)
        failed |= put(recommendations, at,
                      recommendation(model, reply, numbers->questions + at, numbers->outlooks + at));
    if (failed) return finish(found, failed);
    failed |= put(found, 4, conclusion(reply, numbers));
    failed |= put(found, 5, PyFloat_FromDouble(numbers->state.belief[model->causes]));
    failed |= put(found, 6, PyFloat_FromDouble(numbers->state.entropy));
    failed |= put(found, 7, PyFloat_FromDouble(numbers->surprise));
    failed |= put(found, 8, PyLong_FromLong(model->causes));
    failed |= put(found, 9, contradiction_of(reply, numbers));
    return finish(found, failed);
}
