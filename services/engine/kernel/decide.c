/* When a belief is a verdict, and what is odd about the evidence: the twin of conclude.py, contradict.py, surprise.py. */
#include "kernel.h"

enum { FEWEST_ANSWERS = 2, FLIPPED = 8, COMPARED = 12 };
#define WITHOUT 0.5
#define TELLING_BITS 0.03
#define DOUBT 0.4
#define MOVING_BITS 0.1
#define TYPICAL 0.5
#define CONTRADICTING_BITS 3.0
#define LOSS_ROUNDING 1e-9

/* The belief in `leader` had one of the answers that count been the other way, or, with 0 for `given`, not given. */
static double belief_had(const Library *library, Memory *memory, const State *state, int leader, int answer,
                         int given) {
    const Told *said = &state->told;
    int phenomenon = said->answers[answer].phenomenon, size = library->causes;
    if (!is_alone(library, phenomenon, said)) {
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
        return posterior(library, memory, edited, count).belief[leader];
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

/* Where an answer that counts stands among those told; -1 for one that does not count. */
static int place_told(const State *state, int at) {
    if (!counts(state->answers + at)) return -1;
    int place = 0;
    for (int before = 0; before < at; before++) place += counts(state->answers + before);
    return place;
}

static int was_at_risk(const Library *library, Memory *memory, const State *state, int leader, const Place *strongest,
                       int count, double threshold) {
    for (int at = 0; at < count; at++) {
        int answer = place_told(state, strongest[at].at);
        if (answer >= 0 && belief_had(library, memory, state, leader, answer, 1) < threshold) return 1;
    }
    return 0;
}

static int can_do_without(const Library *library, Memory *memory, const State *state, int leader,
                          const Place *strongest, double threshold) {
    if (state->belief[leader] >= 1.0 - DOUBT * (1.0 - threshold)) return 1;
    int answer = place_told(state, strongest[0].at);
    return answer < 0 || belief_had(library, memory, state, leader, answer, 0) >= WITHOUT;
}

static unsigned char *answered_flags(const Library *library, Memory *memory, const State *state) {
    unsigned char *answered = TAKE_ZEROS(memory, unsigned char, library->phenomena);
    for (int at = 0; at < state->count; at++) answered[state->answers[at].phenomenon] = 1;
    return answered;
}

static int can_be_confirmed(const Library *library, Memory *memory, const State *state) {
    unsigned char *answered = answered_flags(library, memory, state);
    for (int phenomenon = 0; phenomenon < library->phenomena; phenomenon++) {
        double yes, inner;
        if (answered[phenomenon]) continue;
        expected(library, state, phenomenon, &yes, &inner);
        /* h(x) <= 2 sqrt(x (1 - x)), so most need no logarithm. */
        if (2.0 * sqrt(yes * (1.0 - yes)) - inner >= TELLING_BITS - MARGIN &&
            exact_gain(state, yes, inner) >= TELLING_BITS)
            return 1;
    }
    return 0;
}

static int can_be_refuted(const Library *library, Memory *memory, const State *state, int leader, double threshold) {
    unsigned char *answered = answered_flags(library, memory, state);
    double belief = state->belief[leader];
    for (int phenomenon = 0; phenomenon < library->phenomena; phenomenon++) {
        double yes, inner, rate;
        if (answered[phenomenon]) continue;
        expected(library, state, phenomenon, &yes, &inner);
        rate = rate_of(library, phenomenon, leader);
        if (least_of(belief * rate / yes, belief * (1.0 - rate) / (1.0 - yes)) < threshold) return 1;
    }
    return 0;
}

static int is_concluded(const Library *library, Memory *memory, const State *state, int leader, const double *bits,
                        double threshold) {
    Place strongest[FLIPPED];
    int count = 0;
    for (int at = 0; at < state->count; at++)
        count = insert(strongest, count, FLIPPED, (Place){key_of(bits[at]), at});
    if (was_at_risk(library, memory, state, leader, strongest, count, threshold))
        return can_do_without(library, memory, state, leader, strongest, threshold) ||
               !can_be_confirmed(library, memory, state);
    return !can_be_refuted(library, memory, state, leader, threshold);
}

/* conclude._moving: the answers of more than a few bits, by falling bits; `sign` is -1 for those against. */
static int *moving(Memory *memory, const double *bits, int count, double sign, int *found) {
    Place *places = TAKE(memory, Place, count);
    int *order = TAKE(memory, int, count);
    *found = 0;
    for (int at = 0; at < count; at++)
        if (sign * bits[at] >= MOVING_BITS) places[(*found)++] = (Place){key_of(sign * bits[at]), at};
    sort_places(places, *found);
    for (int at = 0; at < *found; at++) order[at] = places[at].at;
    return order;
}

/* conclude.typical_open: what the cause mostly shows and nobody answered, most typical first. */
static int typical_open(const Library *library, Memory *memory, const State *state, int cause, int *open) {
    int begin = library->cause_starts[cause], end = library->cause_starts[cause + 1], found = 0;
    unsigned char *answered = answered_flags(library, memory, state);
    Place typical[UNCHECKED];
    for (int place = begin; place < end; place++) {
        int edge = library->cause_order[place], phenomenon = phenomenon_of(library, edge);
        double key = key_of(library->leak[phenomenon] + library->surplus[edge].rate);
        if (shown_key(key) >= TYPICAL && !answered[phenomenon])
            found = insert(typical, found, UNCHECKED, (Place){key, phenomenon});
    }
    for (int at = 0; at < found; at++) open[at] = typical[at].at;
    return found;
}

/* conclude.second_cause: the cause besides the leader that explains these answers best, or -1. */
static int second_cause(const Library *library, Memory *memory, const Answer *unexplained, int count, int leader,
                        double *confidence) {
    Place best = {-1.0, -1};
    State state;
    if (count == 0) return -1;
    state = posterior(library, memory, unexplained, count);
    for (int at = 0; at < count; at++) {
        int phenomenon = unexplained[at].phenomenon;
        double more = library->leak[phenomenon] - library->base[phenomenon];
        for (int edge = library->starts[phenomenon]; edge < library->starts[phenomenon + 1]; edge++) {
            int cause = library->edge_cause[edge];
            Place one = {key_of(state.belief[cause]), cause};
            if (cause != leader && more + library->surplus[edge].rate > ROUNDING && is_before(one, best)) best = one;
        }
    }
    *confidence = best.at < 0 ? 0.0 : shown_key(best.key);
    return best.at;
}

int conclude(const Library *library, Memory *memory, State *state, double threshold, Verdict *said) {
    int leader = state->leaders[0].at, count = 0;
    const Told *given = &state->told;
    if (state->belief[leader] < threshold || given->size < FEWEST_ANSWERS) return 0;
    double *bits = TAKE(memory, double, state->count);
    contributions(state, leader, bits);
    if (!is_concluded(library, memory, state, leader, bits, threshold)) return 0;
    said->supporting = moving(memory, bits, state->count, 1.0, &said->supporting_count);
    said->conflicting = moving(memory, bits, state->count, -1.0, &said->conflicting_count);
    said->unchecked_count = typical_open(library, memory, state, leader, said->unchecked);
    said->unexplained = TAKE(memory, int, given->size);
    Answer *unexplained = TAKE(memory, Answer, given->size);
    for (int at = 0; at < given->size; at++) {
        int edge = edge_of(library, given->answers[at].phenomenon, leader);
        double rate = edge < 0 ? given->leak[at] : given->leak[at] + library->surplus[edge].rate;
        if (given->answers[at].verdict != CONFIRMED || rate > given->base[at] + ROUNDING) continue;
        said->unexplained[count] = given->answers[at].phenomenon;
        unexplained[count++] = given->answers[at];
    }
    said->unexplained_count = count;
    said->second = second_cause(library, memory, unexplained, count, leader, &said->second_confidence);
    return 1;
}

double surprise_bits(Memory *memory, const State *state, int cause) {
    const Told *said = &state->told;
    double *excess = TAKE(memory, double, said->size), *variance = TAKE(memory, double, said->size);
    for (int at = 0; at < said->size; at++) {
        int edge = told_edge(said, at, cause);
        double rate = edge < 0 ? said->unlinked[at] : said->linked[edge], other = 1.0 - rate;
        double bits = log2_of(rate), other_bits = log2_of(other), contrast = bits - other_bits;
        excess[at] = rate * bits + other * other_bits - bits;
        variance[at] = rate * other * contrast * contrast;
    }
    double spread = sqrt(summed(variance, said->size));
    return most_of(summed(excess, said->size), 0.0) / most_of(spread, 1.0);
}

/* What a cause falls short of explaining an answer best; `edge` is the answer's edge of the cause, or -1. */
static double loss(const Told *said, const double *best, int answer, int edge) {
    return best[answer] - (edge < 0 ? said->unlinked_bits[answer] : said->linked_bits[edge]);
}

/* told.least_losses of one pair: the least sum in any column. */
static double pair_bits(const Told *said, const double *best, int first, int second, int causes) {
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

/* contradict._compared: positions, in order, of the answers that move the leader most. */
static int compared(const State *state, Memory *memory, int leader, int *chosen) {
    const Told *said = &state->told;
    Place strongest[COMPARED];
    int found = 0, count = 0;
    if (said->size <= COMPARED) {
        for (int at = 0; at < said->size; at++) chosen[at] = at;
        return said->size;
    }
    unsigned char *kept = TAKE_ZEROS(memory, unsigned char, said->size);
    for (int at = 0; at < said->size; at++) {
        int edge = told_edge(said, at, leader);
        double bits = said->weights[at] * (edge < 0 ? said->unlinked_bits[at] : said->linked_bits[edge]);
        found = insert(strongest, found, COMPARED, (Place){key_of(fabs(bits)), at});
    }
    for (int at = 0; at < found; at++) kept[strongest[at].at] = 1;
    for (int at = 0; at < said->size; at++)
        if (kept[at]) chosen[count++] = at;
    return count;
}

double contradiction(const Library *library, Memory *memory, const State *state, int leader, int pair[2]) {
    const Told *said = &state->told;
    int chosen[COMPARED], count;
    double *best, losses[2] = {-INFINITY, -INFINITY}, most = 0.0, most_key = -INFINITY;
    if (said->size < 2) return 0.0;
    best = TAKE(memory, double, said->size);
    count = compared(state, memory, leader, chosen);
    for (int one = 0; one < count; one++) {
        int at = chosen[one];
        int some_unlinked = said->starts[at + 1] - said->starts[at] < library->causes;
        best[at] = some_unlinked ? most_of(said->unlinked_bits[at], 0.0) : 0.0;
        for (int place = said->starts[at]; place < said->starts[at + 1]; place++)
            best[at] = most_of(best[at], said->linked_bits[place]);
        double lost = loss(said, best, at, told_edge(said, at, leader));
        if (lost > losses[0]) {
            losses[1] = losses[0];
            losses[0] = lost;
        } else if (lost > losses[1]) {
            losses[1] = lost;
        }
    }
    /* The pair's bits are a minimum over causes, so what the leader loses on its two worst is the most they can be. */
    if (losses[0] + losses[1] < CONTRADICTING_BITS - LOSS_ROUNDING) return 0.0;
    for (int left = 0; left < count; left++) {
        for (int right = left + 1; right < count; right++) {
            double bits = pair_bits(said, best, chosen[left], chosen[right], library->causes), key = key_of(bits);
            if (key <= most_key) continue;
            most_key = key;
            most = bits;
            pair[0] = chosen[left];
            pair[1] = chosen[right];
        }
    }
    return most < CONTRADICTING_BITS ? 0.0 : shown(most);
}
