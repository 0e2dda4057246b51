/* Conclusion, contradiction and surprise: the twin of certainty.py, conclusion.py, contradiction.py and surprise.py. */
#include "kernel.h"

enum { FEWEST_ANSWERS = 2, FLIPPED = 8, COMPARED = 12 };
#define WITHOUT 0.5
#define TELLING_BITS 0.03
#define DOUBT 0.4
#define MOVING_BITS 0.1
#define TYPICAL 0.5
#define CONTRADICTING_BITS 3.0
#define LOSS_ROUNDING 1e-9

/* The belief in `leader` with the opposite of a counting answer, or, with 0 for `given`, without it. */
static double belief_after_edit(const Model *model, Memory *memory, const State *state, int leader, int answer,
                         int given) {
    const AnswerBits *said = &state->answer_bits;
    int phenomenon = said->answers[answer].phenomenon, size = model->causes;
    if (!is_independent(model, phenomenon, said)) {
        Answer *edited = TAKE(memory, Answer, state->count);
        int count = 0;
        for (int at = 0; at < state->count; at++) {
            Answer one = state->answers[at];
            if (one.phenomenon == phenomenon) {
                if (!given) continue;
                one.verdict = one.verdict == CONFIRMED ? DENIED : CONFIRMED;
            }
            edited[count++] = one;
        }
        return posterior(model, memory, edited, count).belief[leader];
    }
    double *after = TAKE(memory, double, size + 1);
    double unlinked = said->unlinked[answer], other = said->other[answer];
    double ratio = (1.0 - given * unlinked) / unlinked;
    for (int cause = 0; cause < size; cause++) after[cause] = state->belief[cause] * ratio;
    for (int place = said->starts[answer]; place < said->starts[answer + 1]; place++) {
        double linked = said->linked[place];
        int cause = said->causes[place];
        after[cause] = state->belief[cause] * ((1.0 - given * linked) / linked);
    }
    after[size] = state->belief[size] * ((1.0 - given * other) / other);
    return after[leader] / summed(after, size + 1);
}

/* The position of an answer among the counting ones; -1 for one that does not count. */
static int counting_place(const State *state, int at) {
    if (!counts(state->answers + at)) return -1;
    int place = 0;
    for (int before = 0; before < at; before++) place += counts(state->answers + before);
    return place;
}

static int was_at_risk(const Model *model, Memory *memory, const State *state, int leader, const Place *strongest,
                       int count, double threshold) {
    for (int at = 0; at < count; at++) {
        int answer = counting_place(state, strongest[at].at);
        if (answer >= 0 && belief_after_edit(model, memory, state, leader, answer, 1) < threshold) return 1;
    }
    return 0;
}

static int can_do_without(const Model *model, Memory *memory, const State *state, int leader,
                          const Place *strongest, double threshold) {
    if (state->belief[leader] >= 1.0 - DOUBT * (1.0 - threshold)) return 1;
    int answer = counting_place(state, strongest[0].at);
    return answer < 0 || belief_after_edit(model, memory, state, leader, answer, 0) >= WITHOUT;
}

static unsigned char *answered_flags(const Model *model, Memory *memory, const State *state) {
    unsigned char *answered = TAKE_ZEROS(memory, unsigned char, model->phenomena);
    for (int at = 0; at < state->count; at++) answered[state->answers[at].phenomenon] = 1;
    return answered;
}

static int can_be_confirmed(const Model *model, Memory *memory, const State *state) {
    unsigned char *answered = answered_flags(model, memory, state);
    for (int phenomenon = 0; phenomenon < model->phenomena; phenomenon++) {
        double yes, inner;
        if (answered[phenomenon]) continue;
        expected(model, state, phenomenon, &yes, &inner);
        /* h(x) <= 2 sqrt(x (1 - x)), so most need no logarithm. */
        if (2.0 * sqrt(yes * (1.0 - yes)) - inner >= TELLING_BITS - MARGIN &&
            exact_gain(state, yes, inner) >= TELLING_BITS)
            return 1;
    }
    return 0;
}

static int can_be_refuted(const Model *model, Memory *memory, const State *state, int leader, double threshold) {
    unsigned char *answered = answered_flags(model, memory, state);
    double belief = state->belief[leader];
    for (int phenomenon = 0; phenomenon < model->phenomena; phenomenon++) {
        double yes, inner, rate;
        if (answered[phenomenon]) continue;
        expected(model, state, phenomenon, &yes, &inner);
        rate = rate_of(model, phenomenon, leader);
        if (least_of(belief * rate / yes, belief * (1.0 - rate) / (1.0 - yes)) < threshold) return 1;
    }
    return 0;
}

static int is_concluded(const Model *model, Memory *memory, const State *state, int leader, const double *bits,
                        double threshold) {
    Place strongest[FLIPPED];
    int count = 0;
    for (int at = 0; at < state->count; at++)
        count = insert(strongest, count, FLIPPED, (Place){key_of(bits[at]), at});
    if (was_at_risk(model, memory, state, leader, strongest, count, threshold))
        return can_do_without(model, memory, state, leader, strongest, threshold) ||
               !can_be_confirmed(model, memory, state);
    return !can_be_refuted(model, memory, state, leader, threshold);
}

/* conclusion._moving: the answers with at least MOVING_BITS bits, by falling bits; `sign` is -1 for conflicting ones. */
static int *moving_answers(Memory *memory, const double *bits, int count, double sign, int *found) {
    Place *places = TAKE(memory, Place, count);
    int *order = TAKE(memory, int, count);
    *found = 0;
    for (int at = 0; at < count; at++)
        if (sign * bits[at] >= MOVING_BITS) places[(*found)++] = (Place){key_of(sign * bits[at]), at};
    sort_places(places, *found);
    for (int at = 0; at < *found; at++) order[at] = places[at].at;
    return order;
}

/* conclusion.find_typical_open: the unanswered typical phenomena of a cause, most typical first. */
static int typical_open(const Model *model, Memory *memory, const State *state, int cause, int *open) {
    int begin = model->cause_starts[cause], end = model->cause_starts[cause + 1], found = 0;
    unsigned char *answered = answered_flags(model, memory, state);
    Place typical[UNCHECKED];
    for (int place = begin; place < end; place++) {
        int edge = model->cause_order[place], phenomenon = phenomenon_of(model, edge);
        double key = key_of(model->leak[phenomenon] + model->surplus[edge].rate);
        if (reported_key(key) >= TYPICAL && !answered[phenomenon])
            found = insert(typical, found, UNCHECKED, (Place){key, phenomenon});
    }
    for (int at = 0; at < found; at++) open[at] = typical[at].at;
    return found;
}

/* conclusion.find_second_cause: the cause besides the leader that explains these answers best, or -1. */
static int second_cause(const Model *model, Memory *memory, const Answer *unexplained, int count, int leader,
                        double *confidence) {
    Place best = {-1.0, -1};
    State state;
    if (count == 0) return -1;
    state = posterior(model, memory, unexplained, count);
    for (int at = 0; at < count; at++) {
        int phenomenon = unexplained[at].phenomenon;
        double more = model->leak[phenomenon] - model->base[phenomenon];
        for (int edge = model->starts[phenomenon]; edge < model->starts[phenomenon + 1]; edge++) {
            int cause = model->edge_cause[edge];
            Place one = {key_of(state.belief[cause]), cause};
            if (cause != leader && more + model->surplus[edge].rate > ROUNDING && is_before(one, best)) best = one;
        }
    }
    *confidence = best.at < 0 ? 0.0 : reported_key(best.key);
    return best.at;
}

int conclude(const Model *model, Memory *memory, State *state, double threshold, Verdict *said) {
    int leader = state->leaders[0].at, count = 0;
    const AnswerBits *given = &state->answer_bits;
    if (state->belief[leader] < threshold || given->size < FEWEST_ANSWERS) return 0;
    double *bits = TAKE(memory, double, state->count);
    contributions(state, leader, bits);
    if (!is_concluded(model, memory, state, leader, bits, threshold)) return 0;
    said->supporting = moving_answers(memory, bits, state->count, 1.0, &said->supporting_count);
    said->conflicting = moving_answers(memory, bits, state->count, -1.0, &said->conflicting_count);
    said->unchecked_count = typical_open(model, memory, state, leader, said->unchecked);
    said->unexplained = TAKE(memory, int, given->size);
    Answer *unexplained = TAKE(memory, Answer, given->size);
    for (int at = 0; at < given->size; at++) {
        int edge = edge_of(model, given->answers[at].phenomenon, leader);
        double rate = edge < 0 ? given->leak[at] : given->leak[at] + model->surplus[edge].rate;
        if (given->answers[at].verdict != CONFIRMED || rate > given->base[at] + ROUNDING) continue;
        said->unexplained[count] = given->answers[at].phenomenon;
        unexplained[count++] = given->answers[at];
    }
    said->unexplained_count = count;
    said->second = second_cause(model, memory, unexplained, count, leader, &said->second_confidence);
    return 1;
}

double surprise_bits(Memory *memory, const State *state, int cause) {
    const AnswerBits *said = &state->answer_bits;
    double *excess = TAKE(memory, double, said->size), *variance = TAKE(memory, double, said->size);
    for (int at = 0; at < said->size; at++) {
        int edge = find_edge(said, at, cause);
        double rate = edge < 0 ? said->unlinked[at] : said->linked[edge], other = 1.0 - rate;
        double bits = log2_scalar(rate), other_bits = log2_scalar(other), contrast = bits - other_bits;
        excess[at] = rate * bits + other * other_bits - bits;
        variance[at] = rate * other * contrast * contrast;
    }
    double spread = sqrt(summed(variance, said->size));
    return most_of(summed(excess, said->size), 0.0) / most_of(spread, 1.0);
}

/* The bits by which a cause falls short of the best explanation of an answer; `edge` is their edge, or -1. */
static double loss(const AnswerBits *said, const double *best, int answer, int edge) {
    return best[answer] - (edge < 0 ? said->unlinked_bits[answer] : said->linked_bits[edge]);
}

/* answer_bits.minimum_pair_losses for one pair: the minimum sum over columns. */
static double pair_bits(const AnswerBits *said, const double *best, int first, int second, int causes) {
    int left = said->starts[first], right = said->starts[second], columns = 0;
    int left_end = said->starts[first + 1], right_end = said->starts[second + 1];
    double least = best[first] + best[second];
    while (left < left_end || right < right_end) {
        int from_left = left < left_end && (right == right_end || said->causes[left] <= said->causes[right]);
        int from_right = right < right_end && (left == left_end || said->causes[right] <= said->causes[left]);
        double sum = loss(said, best, first, from_left ? left : -1) + loss(said, best, second, from_right ? right : -1);
        least = least_of(sum, least);
        left += from_left;
        right += from_right;
        columns++;
    }
    return columns < causes ? least_of(loss(said, best, first, -1) + loss(said, best, second, -1), least) : least;
}

/* contradiction._compared: the positions, in order, of the answers that move the leader most. */
static int compared(const State *state, Memory *memory, int leader, int *chosen) {
    const AnswerBits *said = &state->answer_bits;
    Place strongest[COMPARED];
    int found = 0, count = 0;
    if (said->size <= COMPARED) {
        for (int at = 0; at < said->size; at++) chosen[at] = at;
        return said->size;
    }
    unsigned char *kept = TAKE_ZEROS(memory, unsigned char, said->size);
    for (int at = 0; at < said->size; at++) {
        int edge = find_edge(said, at, leader);
        double bits = said->weights[at] * (edge < 0 ? said->unlinked_bits[at] : said->linked_bits[edge]);
        found = insert(strongest, found, COMPARED, (Place){key_of(fabs(bits)), at});
    }
    for (int at = 0; at < found; at++) kept[strongest[at].at] = 1;
    for (int at = 0; at < said->size; at++)
        if (kept[at]) chosen[count++] = at;
    return count;
}

double contradiction(const Model *model, Memory *memory, const State *state, int leader, int pair[2]) {
    const AnswerBits *said = &state->answer_bits;
    int chosen[COMPARED], count;
    double *best, losses[2] = {-INFINITY, -INFINITY}, most = 0.0, most_key = -INFINITY;
    if (said->size < 2) return 0.0;
    best = TAKE(memory, double, said->size);
    count = compared(state, memory, leader, chosen);
    for (int one = 0; one < count; one++) {
        int at = chosen[one];
        int some_unlinked = said->starts[at + 1] - said->starts[at] < model->causes;
        best[at] = some_unlinked ? most_of(said->unlinked_bits[at], 0.0) : 0.0;
        for (int place = said->starts[at]; place < said->starts[at + 1]; place++)
            best[at] = most_of(best[at], said->linked_bits[place]);
        double lost = loss(said, best, at, find_edge(said, at, leader));
        if (lost > losses[0]) {
            losses[1] = losses[0];
            losses[0] = lost;
        } else if (lost > losses[1]) {
            losses[1] = lost;
        }
    }
    /* The bits of a pair are a minimum over causes, so the two greatest losses of the leader bound those of every pair. */
    if (losses[0] + losses[1] < CONTRADICTING_BITS - LOSS_ROUNDING) return 0.0;
    for (int left = 0; left < count; left++) {
        for (int right = left + 1; right < count; right++) {
            double bits = pair_bits(said, best, chosen[left], chosen[right], model->causes), key = key_of(bits);
            if (key <= most_key) continue;
            most_key = key;
            most = bits;
            pair[0] = chosen[left];
            pair[1] = chosen[right];
        }
    }
    return most < CONTRADICTING_BITS ? 0.0 : round_reported(most);
}
