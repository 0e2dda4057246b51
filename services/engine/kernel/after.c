/* What would be believed after one more answer: the twin of after.py. */
#include "kernel.h"

enum { MOST_LINKS = 1024 };
#define MOVED 0.01

/* The first SHOWN of a row of keys, one column after another. */
typedef struct {
    Place places[SHOWN];
    int found;
} Greatest;

static inline void weigh(Greatest *greatest, double belief, int column) {
    double key = key_of(belief);
    if (greatest->found == SHOWN && key <= greatest->places[SHOWN - 1].key) return;
    greatest->found = insert(greatest->places, greatest->found, SHOWN, (Place){key, column});
}

/* after._columns: the causes that may lead after an answer, in order: the linked, and leaders enough for no question to
   link all. Returns how many; `place` gets where each stands. */
static int columns_of(const Library *library, Memory *memory, State *state, const Question *asked, int count,
                      int *columns, int *place) {
    int found = 0, most = 0, size = library->causes;
    unsigned char *chosen = TAKE_ZEROS(memory, unsigned char, size);
    for (int at = 0; at < count; at++) {
        int begin = library->starts[asked[at].phenomenon], end = library->starts[asked[at].phenomenon + 1];
        if (end - begin > most) most = end - begin;
        for (int edge = begin; edge < end; edge++) chosen[library->edge_cause[edge]] = 1;
    }
    int leaders = SHOWN + most > LEADING ? SHOWN + most : LEADING;
    if (leaders >= size) {
        memset(chosen, 1, (size_t)size);
    } else if (leaders <= 2 * SHOWN + LEADING) {
        lead(library, memory, state, leaders);
        for (int at = 0; at < leaders; at++) chosen[state->leaders[at].at] = 1;
    } else {
        Place *places = TAKE(memory, Place, size);
        for (int cause = 0; cause < size; cause++) places[cause] = (Place){key_of(state->belief[cause]), cause};
        select_places(places, size, leaders);
        for (int at = 0; at < leaders; at++) chosen[places[at].at] = 1;
    }
    for (int cause = 0; cause < size; cause++) {
        if (!chosen[cause]) continue;
        place[cause] = found;
        columns[found++] = cause;
    }
    return found;
}

/* Which of the leaders (by cause, in order) an answer tells apart, by falling difference. */
static void tell_apart(Outlook *outlook, const int *leaders, const double *moved, int count) {
    Place order[LEADING];
    int found = 0;
    for (int at = 0; at < count; at++) found = insert(order, found, LEADING, (Place){key_of(moved[at]), at});
    for (int at = 0; at < found; at++)
        if (moved[order[at].at] >= MOVED) outlook->told_apart[outlook->apart++] = leaders[order[at].at];
}

/* The present leaders in the order of their causes; the first of all is `first`. */
static int leaders_in_order(const Library *library, Memory *memory, State *state, int *leaders, int *first) {
    lead(library, memory, state, LEADING);
    int count = state->led < LEADING ? state->led : LEADING;
    for (int at = 0; at < count; at++) {
        int cause = state->leaders[at].at, place = at;
        for (; place > 0 && leaders[place - 1] > cause; place--) leaders[place] = leaders[place - 1];
        leaders[place] = cause;
    }
    *first = state->leaders[0].at;
    return count;
}

/* after.by_bayes of one question; `rates` has room for every column. */
static void by_bayes(const Library *library, Memory *memory, State *state, const Question *asked, const int *columns,
                     const int *place, int width, double *rates, Outlook *found) {
    int leaders[LEADING], first, begin = library->starts[asked->phenomenon];
    int count = leaders_in_order(library, memory, state, leaders, &first);
    double leak = library->leak[asked->phenomenon], yes = asked->yes, no = 1.0 - yes, moved[LEADING];
    Greatest sides[2] = {0};
    for (int at = 0; at < width; at++) rates[at] = leak;
    for (int edge = begin; edge < library->starts[asked->phenomenon + 1]; edge++)
        rates[place[library->edge_cause[edge]]] += library->surplus[edge].rate;
    for (int at = 0; at < width; at++) {
        double belief = state->belief[columns[at]];
        weigh(sides, rates[at] * belief / yes, at);
        weigh(sides + 1, (1.0 - rates[at]) * belief / no, at);
    }
    *found = (Outlook){.shown = sides[0].found};
    for (int at = 0; at < count; at++) {
        double belief = state->belief[leaders[at]], rate = rates[place[leaders[at]]];
        double after[2] = {rate * belief / yes, (1.0 - rate) * belief / no};
        moved[at] = fabs(after[0] - after[1]);
        if (leaders[at] == first)
            for (int side = 0; side < 2; side++) found->leader[side] = shown(after[side]);
    }
    for (int side = 0; side < 2; side++)
        for (int at = 0; at < found->shown; at++)
            found->sides[side][at] =
                (Leader){columns[sides[side].places[at].at], shown_key(sides[side].places[at].key)};
    tell_apart(found, leaders, moved, count);
}

/* after.anew: where the new answer would change the weights of those given, all are weighed anew. */
static void anew(const Library *library, Memory *memory, State *state, int phenomenon, Outlook *found) {
    int leaders[LEADING], first, count = leaders_in_order(library, memory, state, leaders, &first);
    double moved[LEADING];
    State after[2];
    for (int side = 0; side < 2; side++) {
        Answer *answers = TAKE(memory, Answer, state->count + 1);
        int at = 0;
        for (; at < state->count && state->answers[at].phenomenon < phenomenon; at++) answers[at] = state->answers[at];
        answers[at] = (Answer){phenomenon, side == 0 ? CONFIRMED : DENIED, 1.0};
        for (; at < state->count; at++) answers[at + 1] = state->answers[at];
        after[side] = posterior(library, memory, answers, state->count + 1);
        lead(library, memory, after + side, SHOWN);
    }
    *found = (Outlook){.shown = after[0].led};
    for (int side = 0; side < 2; side++) {
        for (int at = 0; at < found->shown; at++)
            found->sides[side][at] = (Leader){after[side].leaders[at].at, shown_key(after[side].leaders[at].key)};
        found->leader[side] = shown(after[side].belief[first]);
    }
    for (int at = 0; at < count; at++)
        moved[at] = fabs(after[0].belief[leaders[at]] - after[1].belief[leaders[at]]);
    tell_apart(found, leaders, moved, count);
}

/* Some questions whose columns are one table's. */
static void in_one_table(const Library *library, Memory *memory, State *state, const Question *asked, int count,
                         Outlook *found) {
    int *columns = TAKE(memory, int, library->causes), *place = TAKE(memory, int, library->causes);
    int width = columns_of(library, memory, state, asked, count, columns, place);
    double *rates = TAKE(memory, double, width);
    for (int at = 0; at < count; at++)
        by_bayes(library, memory, state, asked + at, columns, place, width, rates, found + at);
}

void outlooks(const Library *library, Memory *memory, State *state, const Question *asked, int count, Outlook *found) {
    long links = 0;
    for (int at = 0; at < count; at++)
        links += library->starts[asked[at].phenomenon + 1] - library->starts[asked[at].phenomenon];
    if (links > MOST_LINKS)
        for (int at = 0; at < count; at++) in_one_table(library, memory, state, asked + at, 1, found + at);
    else if (count > 0)
        in_one_table(library, memory, state, asked, count, found);
    for (int at = 0; at < count; at++)
        if (!is_alone(library, asked[at].phenomenon, &state->told))
            anew(library, memory, state, asked[at].phenomenon, found + at);
}
