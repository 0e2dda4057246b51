/* What is believed under the evidence: the twin of told.py and belief.py. */
#include "kernel.h"

int phenomenon_of(const Library *library, int edge) {
    int found = library->coarse[edge >> 6];
    while (library->starts[found + 1] <= edge) found++;
    return found;
}

int edge_of(const Library *library, int phenomenon, int cause) {
    int first = library->starts[phenomenon], end = library->starts[phenomenon + 1], last = end;
    while (first < last) {
        int middle = first + (last - first) / 2;
        if (library->edge_cause[middle] < cause) first = middle + 1;
        else last = middle;
    }
    return first < end && library->edge_cause[first] == cause ? first : -1;
}

double rate_of(const Library *library, int phenomenon, int cause) {
    int edge = edge_of(library, phenomenon, cause);
    double leak = library->leak[phenomenon];
    return edge < 0 ? leak : leak + library->surplus[edge].rate;
}

/* Where the answer to a phenomenon stands among those told, or -1. */
static int told_at(const Told *told, int phenomenon) {
    int first = 0, last = told->size;
    while (first < last) {
        int middle = first + (last - first) / 2;
        if (told->answers[middle].phenomenon < phenomenon) first = middle + 1;
        else last = middle;
    }
    return first < told->size && told->answers[first].phenomenon == phenomenon ? first : -1;
}

int is_alone(const Library *library, int phenomenon, const Told *told) {
    Span partners = partners_of(library, phenomenon);
    for (int at = partners.begin; at < partners.end; at++)
        if (told_at(told, library->partners[at]) >= 0) return 0;
    return 1;
}

/* redundancy.Redundancy.weights: answers of one verdict share what they tell twice. */
static double weight_of(const Library *library, const Told *told, const Answer *answer) {
    double shared = 0.0;
    Span partners = partners_of(library, answer->phenomenon);
    for (int at = partners.begin; at < partners.end; at++) {
        int other = told_at(told, library->partners[at]);
        if (other >= 0 && told->answers[other].verdict == answer->verdict) shared += library->rhos[at];
    }
    return 1.0 / (1.0 + shared);
}

/* P(answer | .) from P(yes | .); `other` is the factor of OTHER. */
static double factor_of(const Answer *answer, double rate) { return answer->verdict == DENIED ? 1.0 - rate : rate; }
static double softened(const Answer *answer, double factor, double other) {
    return answer->score == 1.0 ? factor : answer->score * factor + (1.0 - answer->score) * other;
}

static Told told(const Library *library, Memory *memory, const Answer *answers, int count) {
    Told said = {0};
    long edges = 0;
    said.answers = TAKE(memory, Answer, count);
    for (int at = 0; at < count; at++) {
        if (!counts(answers + at)) continue;
        int phenomenon = answers[at].phenomenon;
        said.answers[said.size++] = answers[at];
        edges += library->starts[phenomenon + 1] - library->starts[phenomenon];
    }
    said.weights = TAKE(memory, double, 6 * said.size);
    said.leak = said.weights + said.size;
    said.base = said.leak + said.size;
    said.unlinked = said.base + said.size;
    said.other = said.unlinked + said.size;
    said.unlinked_bits = said.other + said.size;
    said.starts = TAKE_ZEROS(memory, int, said.size + 1);
    said.causes = TAKE(memory, int, edges);
    said.linked = TAKE(memory, double, edges);
    said.linked_bits = TAKE(memory, double, edges);
    for (int at = 0; at < said.size; at++) {
        const Answer *answer = said.answers + at;
        int begin = library->starts[answer->phenomenon], end = library->starts[answer->phenomenon + 1];
        int place = said.starts[at];
        double leak = said.leak[at] = library->leak[answer->phenomenon];
        double base = said.base[at] = library->base[answer->phenomenon], other = factor_of(answer, base);
        said.weights[at] = weight_of(library, &said, answer);
        said.other[at] = softened(answer, other, other);
        said.unlinked[at] = softened(answer, factor_of(answer, leak), other);
        double other_bits = log2_of(said.other[at]);
        said.unlinked_bits[at] = log2_of(said.unlinked[at]) - other_bits;
        for (int edge = begin; edge < end; edge++, place++) {
            double factor = softened(answer, factor_of(answer, leak + library->surplus[edge].rate), other);
            said.causes[place] = library->edge_cause[edge];
            said.linked[place] = factor;
            said.linked_bits[place] = log2_of(factor) - other_bits;
        }
        said.starts[at + 1] = place;
    }
    return said;
}

int told_edge(const Told *told, int answer, int cause) {
    int first = told->starts[answer], end = told->starts[answer + 1], last = end;
    while (first < last) {
        int middle = first + (last - first) / 2;
        if (told->causes[middle] < cause) first = middle + 1;
        else last = middle;
    }
    return first < end && told->causes[first] == cause ? first : -1;
}

/* Bits of the untouched causes, by the answers' weights; fills what each touched cause has beyond them. */
static double moves(const Told *said, Memory *memory, double *moved, unsigned char *is_touched) {
    double *terms = TAKE(memory, double, said->size);
    for (int at = 0; at < said->size; at++) terms[at] = said->weights[at] * said->unlinked_bits[at];
    for (int at = 0; at < said->size; at++) {
        for (int place = said->starts[at]; place < said->starts[at + 1]; place++) {
            moved[said->causes[place]] += said->weights[at] * (said->linked_bits[place] - said->unlinked_bits[at]);
            is_touched[said->causes[place]] = 1;
        }
    }
    return summed(terms, said->size);
}

State posterior(const Library *library, Memory *memory, const Answer *answers, int count) {
    int size = library->causes, next = 0;
    State state = {.answers = answers, .count = count, .told = told(library, memory, answers, count)};
    double *moved = TAKE_ZEROS(memory, double, size), *belief = TAKE(memory, double, size + 1);
    double *bits = TAKE(memory, double, size + 1);
    unsigned char *is_touched = TAKE_ZEROS(memory, unsigned char, size);
    double everywhere = moves(&state.told, memory, moved, is_touched), most = 0.0;
    state.touched = TAKE(memory, int, size);
    for (int cause = 0; cause < size; cause++) {
        if (is_touched[cause]) {
            state.touched[state.touched_count++] = cause;
            moved[cause] += everywhere;
            most = most_of(most, moved[cause]);
        }
    }
    if (state.touched_count < size) most = most_of(most, everywhere);
    /* Only ratios matter: the greatest becomes 1, and what no float can tell from 0 becomes 0. */
    double untouched = everywhere - most, untouched_power = exp2_of(untouched);
    for (int cause = 0; cause < size; cause++) {
        double level = untouched, power = untouched_power;
        if (next < state.touched_count && state.touched[next] == cause) {
            level = moved[cause] - most;
            power = exp2_of(level);
            next++;
        }
        belief[cause] = library->prior[cause] * power;
        bits[cause] = library->prior_bits[cause] + level;
    }
    belief[size] = library->prior[size] * exp2_of(0.0 - most);
    bits[size] = library->prior_bits[size] + (0.0 - most);
    double total = summed(belief, size + 1);
    for (int cause = 0; cause <= size; cause++) {
        belief[cause] /= total;
        bits[cause] = belief[cause] * bits[cause];
    }
    state.belief = belief;
    state.share = state.touched_count < size ? untouched_power / total : 0.0;
    state.entropy = most_of(log2_of(total) - summed(bits, size + 1), 0.0);
    return state;
}

void lead(const Library *library, Memory *memory, State *state, int count) {
    int limit = count < library->causes ? count : library->causes;
    if (state->led >= limit) return;
    state->leaders = TAKE(memory, Place, limit);
    state->led = 0;
    for (int cause = 0; cause < library->causes; cause++) {
        Place one = {key_of(state->belief[cause]), cause};
        state->led = insert(state->leaders, state->led, limit, one);
    }
}

void contributions(const State *state, int cause, double *bits) {
    const Told *said = &state->told;
    for (int at = 0, counted = 0; at < state->count; at++) {
        bits[at] = 0.0;
        if (!counts(state->answers + at)) continue;
        int edge = told_edge(said, counted, cause);
        bits[at] = said->weights[counted] * (edge < 0 ? said->unlinked_bits[counted] : said->linked_bits[edge]);
        counted++;
    }
}
