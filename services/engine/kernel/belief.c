/* The posterior belief: the twin of answer_bits.py and posterior.py. */
#include "kernel.h"

int phenomenon_of(const Model *model, int edge) {
    int found = model->coarse[edge >> 6];
    while (model->starts[found + 1] <= edge) found++;
    return found;
}

/* The position of a number in the ascending sorted[first..end), or -1. */
static int find_in(const int *sorted, int first, int end, int wanted) {
    int last = end;
    while (first < last) {
        int middle = first + (last - first) / 2;
        if (sorted[middle] < wanted) first = middle + 1;
        else last = middle;
    }
    return first < end && sorted[first] == wanted ? first : -1;
}

int edge_of(const Model *model, int phenomenon, int cause) {
    return find_in(model->edge_cause, model->starts[phenomenon], model->starts[phenomenon + 1], cause);
}

double rate_of(const Model *model, int phenomenon, int cause) {
    int edge = edge_of(model, phenomenon, cause);
    double leak = model->leak[phenomenon];
    return edge < 0 ? leak : leak + model->surplus[edge].rate;
}

int find_answer(const AnswerBits *answer_bits, int phenomenon) {
    int first = 0, last = answer_bits->size;
    while (first < last) {
        int middle = first + (last - first) / 2;
        if (answer_bits->answers[middle].phenomenon < phenomenon) first = middle + 1;
        else last = middle;
    }
    return first < answer_bits->size && answer_bits->answers[first].phenomenon == phenomenon ? first : -1;
}

int is_independent(const Model *model, int phenomenon, const AnswerBits *answer_bits) {
    Span partners = partners_of(model, phenomenon);
    for (int at = partners.begin; at < partners.end; at++)
        if (find_answer(answer_bits, model->partners[at]) >= 0) return 0;
    return 1;
}

/* redundancy.Redundancy.weights: redundant answers of the same verdict share their weight. */
static double weight_of(const Model *model, const AnswerBits *answer_bits, const Answer *answer) {
    double shared = 0.0;
    Span partners = partners_of(model, answer->phenomenon);
    for (int at = partners.begin; at < partners.end; at++) {
        int other = find_answer(answer_bits, model->partners[at]);
        if (other >= 0 && answer_bits->answers[other].verdict == answer->verdict) shared += model->rhos[at];
    }
    return 1.0 / (1.0 + shared);
}

/* P(answer | .) from P(yes | .); `other` is the factor of OTHER. */
static double factor_of(const Answer *answer, double rate) { return answer->verdict == DENIED ? 1.0 - rate : rate; }
static double soften(const Answer *answer, double factor, double other) {
    return answer->score == 1.0 ? factor : answer->score * factor + (1.0 - answer->score) * other;
}

static AnswerBits compute_answer_bits(const Model *model, Memory *memory, const Answer *answers, int count) {
    AnswerBits said = {0};
    long edges = 0;
    said.answers = TAKE(memory, Answer, count);
    for (int at = 0; at < count; at++) {
        if (!counts(answers + at)) continue;
        int phenomenon = answers[at].phenomenon;
        said.answers[said.size++] = answers[at];
        edges += model->starts[phenomenon + 1] - model->starts[phenomenon];
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
        int begin = model->starts[answer->phenomenon], end = model->starts[answer->phenomenon + 1];
        int place = said.starts[at];
        double leak = said.leak[at] = model->leak[answer->phenomenon];
        double base = said.base[at] = model->base[answer->phenomenon], other = factor_of(answer, base);
        said.weights[at] = weight_of(model, &said, answer);
        said.other[at] = soften(answer, other, other);
        said.unlinked[at] = soften(answer, factor_of(answer, leak), other);
        double other_bits = log2_scalar(said.other[at]);
        said.unlinked_bits[at] = log2_scalar(said.unlinked[at]) - other_bits;
        for (int edge = begin; edge < end; edge++, place++) {
            double factor = soften(answer, factor_of(answer, leak + model->surplus[edge].rate), other);
            said.causes[place] = model->edge_cause[edge];
            said.linked[place] = factor;
            said.linked_bits[place] = log2_scalar(factor) - other_bits;
        }
        said.starts[at + 1] = place;
    }
    return said;
}

int find_edge(const AnswerBits *answer_bits, int answer, int cause) {
    return find_in(answer_bits->causes, answer_bits->starts[answer], answer_bits->starts[answer + 1], cause);
}

/* Returns the weighted bits of the untouched causes; fills the excess of each touched cause over them. */
static double moves(const AnswerBits *said, Memory *memory, double *moved, unsigned char *is_touched) {
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

State posterior(const Model *model, Memory *memory, const Answer *answers, int count) {
    int size = model->causes, next = 0;
    State state = {.answers = answers, .count = count, .answer_bits = compute_answer_bits(model, memory, answers, count)};
    double *moved = TAKE_ZEROS(memory, double, size), *belief = TAKE(memory, double, size + 1);
    double *bits = TAKE(memory, double, size + 1);
    unsigned char *is_touched = TAKE_ZEROS(memory, unsigned char, size);
    double everywhere = moves(&state.answer_bits, memory, moved, is_touched), most = 0.0;
    state.touched = TAKE(memory, int, size);
    for (int cause = 0; cause < size; cause++) {
        if (is_touched[cause]) {
            state.touched[state.touched_count++] = cause;
            moved[cause] += everywhere;
            most = most_of(most, moved[cause]);
        }
    }
    if (state.touched_count < size) most = most_of(most, everywhere);
    /* Only ratios matter: the greatest becomes 1, and weights too small for a float become 0. */
    double untouched = everywhere - most, untouched_power = exp2_of(untouched);
    for (int cause = 0; cause < size; cause++) {
        double level = untouched, power = untouched_power;
        if (next < state.touched_count && state.touched[next] == cause) {
            level = moved[cause] - most;
            power = exp2_of(level);
            next++;
        }
        belief[cause] = model->prior[cause] * power;
        bits[cause] = model->prior_bits[cause] + level;
    }
    belief[size] = model->prior[size] * exp2_of(0.0 - most);
    bits[size] = model->prior_bits[size] + (0.0 - most);
    double total = summed(belief, size + 1);
    for (int cause = 0; cause <= size; cause++) {
        belief[cause] /= total;
        bits[cause] = belief[cause] * bits[cause];
    }
    state.belief = belief;
    state.share = state.touched_count < size ? untouched_power / total : 0.0;
    state.entropy = most_of(log2_scalar(total) - summed(bits, size + 1), 0.0);
    return state;
}

void find_leaders(const Model *model, Memory *memory, State *state, int count) {
    int limit = count < model->causes ? count : model->causes;
    if (state->led >= limit) return;
    state->leaders = TAKE(memory, Place, limit);
    state->led = 0;
    for (int cause = 0; cause < model->causes; cause++) {
        Place one = {key_of(state->belief[cause]), cause};
        state->led = insert(state->leaders, state->led, limit, one);
    }
}

void contributions(const State *state, int cause, double *bits) {
    const AnswerBits *said = &state->answer_bits;
    for (int at = 0, counted = 0; at < state->count; at++) {
        bits[at] = 0.0;
        if (!counts(state->answers + at)) continue;
        int edge = find_edge(said, counted, cause);
        bits[at] = said->weights[counted] * (edge < 0 ? said->unlinked_bits[counted] : said->linked_bits[edge]);
        counted++;
    }
}
