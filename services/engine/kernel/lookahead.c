/* The beliefs after one more answer: the twin of lookahead.py. */
#include "kernel.h"

enum { MOST_LINKS = 1024 };
#define MOVED 0.01

/* The SHOWN greatest keys of a row, collected column by column. */
typedef struct {
    Place places[SHOWN];
    int found;
} Greatest;

static inline void weigh(Greatest *greatest, double belief, int column) {
    double key = key_of(belief);
    if (greatest->found == SHOWN && key <= greatest->places[SHOWN - 1].key) return;
    greatest->found = insert(greatest->places, greatest->found, SHOWN, (Place){key, column});
}

/* lookahead._columns: the causes that may lead after an answer, in order: the linked ones, and enough leaders that some
   are unlinked. Returns their number and fills the position of each in `place`. */
static int columns_of(const Model *model, Memory *memory, State *state, const Question *asked, int count,
                      int *columns, int *place) {
    int found = 0, most = 0, size = model->causes;
    unsigned char *chosen = TAKE_ZEROS(memory, unsigned char, size);
    for (int at = 0; at < count; at++) {
        int begin = model->starts[asked[at].phenomenon], end = model->starts[asked[at].phenomenon + 1];
        if (end - begin > most) most = end - begin;
        for (int edge = begin; edge < end; edge++) chosen[model->edge_cause[edge]] = 1;
    }
    int leaders = SHOWN + most > LEADING ? SHOWN + most : LEADING;
    if (leaders >= size) {
        memset(chosen, 1, (size_t)size);
    } else if (leaders <= 2 * SHOWN + LEADING) {
        find_leaders(model, memory, state, leaders);
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

/* The leaders (by cause, in order) that an answer separates, by falling difference. */
static void separate_leaders(Outlook *outlook, const int *leaders, const double *moved, int count) {
    Place order[LEADING];
    int found = 0;
    for (int at = 0; at < count; at++) found = insert(order, found, LEADING, (Place){key_of(moved[at]), at});
    for (int at = 0; at < found; at++)
        if (moved[order[at].at] >= MOVED) outlook->separated[outlook->separated_count++] = leaders[order[at].at];
}

/* The current leaders in the order of their causes; `first` is the leader. */
static int leaders_in_order(const Model *model, Memory *memory, State *state, int *leaders, int *first) {
    find_leaders(model, memory, state, LEADING);
    int count = state->led < LEADING ? state->led : LEADING;
    for (int at = 0; at < count; at++) {
        int cause = state->leaders[at].at, place = at;
        for (; place > 0 && leaders[place - 1] > cause; place--) leaders[place] = leaders[place - 1];
        leaders[place] = cause;
    }
    *first = state->leaders[0].at;
    return count;
}

/* lookahead.outlooks_from_rates for one question; `rates` has room for every column. */
static void outlook_from_rates(const Model *model, Memory *memory, State *state, const Question *asked, const int *columns,
                     const int *place, int width, double *rates, Outlook *found) {
    int leaders[LEADING], first, begin = model->starts[asked->phenomenon];
    int count = leaders_in_order(model, memory, state, leaders, &first);
    double leak = model->leak[asked->phenomenon], yes = asked->yes, no = 1.0 - yes, moved[LEADING];
    Greatest sides[2] = {0};
    for (int at = 0; at < width; at++) rates[at] = leak;
    for (int edge = begin; edge < model->starts[asked->phenomenon + 1]; edge++)
        rates[place[model->edge_cause[edge]]] += model->surplus[edge].rate;
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
            for (int side = 0; side < 2; side++) found->leader[side] = round_reported(after[side]);
    }
    for (int side = 0; side < 2; side++)
        for (int at = 0; at < found->shown; at++)
            found->sides[side][at] =
                (Leader){columns[sides[side].places[at].at], reported_key(sides[side].places[at].key)};
    separate_leaders(found, leaders, moved, count);
}

/* lookahead.outlook_between: used if the new answer would change the weights of given ones. */
static void outlook_between(const Model *model, Memory *memory, State *state, int phenomenon, Outlook *found) {
    int leaders[LEADING], first, count = leaders_in_order(model, memory, state, leaders, &first);
    double moved[LEADING];
    State after[2];
    for (int side = 0; side < 2; side++) {
        Answer *answers = TAKE(memory, Answer, state->count + 1);
        int at = 0;
        for (; at < state->count && state->answers[at].phenomenon < phenomenon; at++) answers[at] = state->answers[at];
        answers[at] = (Answer){phenomenon, side == 0 ? CONFIRMED : DENIED, 1.0};
        for (; at < state->count; at++) answers[at + 1] = state->answers[at];
        after[side] = posterior(model, memory, answers, state->count + 1);
        find_leaders(model, memory, after + side, SHOWN);
    }
    *found = (Outlook){.shown = after[0].led};
    for (int side = 0; side < 2; side++) {
        for (int at = 0; at < found->shown; at++)
            found->sides[side][at] = (Leader){after[side].leaders[at].at, reported_key(after[side].leaders[at].key)};
        found->leader[side] = round_reported(after[side].belief[first]);
    }
    for (int at = 0; at < count; at++)
        moved[at] = fabs(after[0].belief[leaders[at]] - after[1].belief[leaders[at]]);
    separate_leaders(found, leaders, moved, count);
}

/* Questions that share one table of columns. */
static void evaluate_together(const Model *model, Memory *memory, State *state, const Question *asked, int count,
                         Outlook *found) {
    int *columns = TAKE(memory, int, model->causes), *place = TAKE(memory, int, model->causes);
    int width = columns_of(model, memory, state, asked, count, columns, place);
    double *rates = TAKE(memory, double, width);
    for (int at = 0; at < count; at++)
        outlook_from_rates(model, memory, state, asked + at, columns, place, width, rates, found + at);
}

void outlooks(const Model *model, Memory *memory, State *state, const Question *asked, int count, Outlook *found) {
    long links = 0;
    for (int at = 0; at < count; at++)
        links += model->starts[asked[at].phenomenon + 1] - model->starts[asked[at].phenomenon];
    if (links > MOST_LINKS)
        for (int at = 0; at < count; at++) evaluate_together(model, memory, state, asked + at, 1, found + at);
    else if (count > 0)
        evaluate_together(model, memory, state, asked, count, found);
    for (int at = 0; at < count; at++)
        if (!is_independent(model, asked[at].phenomenon, &state->answer_bits))
            outlook_between(model, memory, state, asked[at].phenomenon, found + at);
}
