/* The best open questions: the twin of gain.py, gain_bounds.py and recommendation.Ranking.top.

   Both sums of a phenomenon are computed edge by edge, as reported; the entropy of the yes is the expensive part. A
   tabulated upper bound of it excludes nearly all phenomena; only for the others is the exact entropy computed, and the
   exact numbers decide. */
#include "kernel.h"

#define FEWEST_BITS 1e-4
#define PRICE 0.25
/* Above this share, the subtraction would cancel too many digits. */
#define MOST_SHARE 1e3
/* The table of bounds has 128 cells for each power of two from 2^-16 to 1/2. */
enum { BOUND_CELLS = 128, BOUND_POWERS = 16, EDGES_SHARE = 6, FIRST_BLOCK = 256, AHEAD = 128, TOUCHED_SHARE = 4 };

/* h(x) <= offset + slope x in a cell. */
static struct {
    double offset, slope;
} bounds[BOUND_CELLS * BOUND_POWERS];

void prepare_bounds(void) {
    for (int cell = 0; cell < BOUND_CELLS * BOUND_POWERS; cell++) {
        double power = ldexp(1.0, cell / BOUND_CELLS - BOUND_POWERS - 1);
        double left = power * (1.0 + (double)(cell % BOUND_CELLS) / BOUND_CELLS);
        double middle = left + power / BOUND_CELLS / 2.0;
        /* h is concave, so its tangent is an upper bound. */
        double slope = log2_scalar(1.0 - middle) - log2_scalar(middle);
        bounds[cell].slope = slope;
        bounds[cell].offset = binary_entropy(middle) - slope * middle + ROUNDING;
    }
}

static inline double entropy_bound(double rate) {
    double less = rate < 0.5 ? rate : 1.0 - rate;
    long cell = (long)(bits_of_double(less) >> 45) - ((1022L - BOUND_POWERS) << 7);
    if (cell < 0 || cell >= BOUND_CELLS * BOUND_POWERS) return less < 0.5 ? binary_entropy(rate) : 1.0;
    return bounds[cell].offset + bounds[cell].slope * less;
}

#if defined(__GNUC__)
/* Two numbers that the processor adds and multiplies at once, each with the same rounding as alone. */
typedef double Pair __attribute__((vector_size(16), aligned(8)));
#define SOON(place) __builtin_prefetch(place)
#else
#error "the kernel needs a compiler with GCC's vector types; without the kernel, NumPy gives the same bytes"
#endif

/* The sum over the edges of a phenomenon of belief times surplus, edge by edge. */
static inline Pair sums_of(const Model *model, const double *belief, int edge, int end) {
    const Pair *surplus = (const Pair *)model->surplus;
    const int *causes = model->edge_cause;
    Pair sums = {0.0, 0.0};
    for (; edge < end; edge++) {
        double held = belief[causes[edge]];
        sums += (Pair){held, held} * surplus[edge];
    }
    return sums;
}

static inline void expected_by(const Model *model, const double *belief, int phenomenon, Pair sums, double *yes,
                               double *inner) {
    double other = belief[model->causes], known = 1.0 - other;
    *yes = known * model->leak[phenomenon] + other * model->base[phenomenon] + sums[0];
    *inner = known * model->leak_entropy[phenomenon] + other * model->base_entropy[phenomenon] + sums[1];
}

void expected(const Model *model, const State *state, int phenomenon, double *yes, double *inner) {
    int begin = model->starts[phenomenon], end = model->starts[phenomenon + 1];
    expected_by(model, state->belief, phenomenon, sums_of(model, state->belief, begin, end), yes, inner);
}

void sums_of_all(const Model *model, const double *belief, Surplus *sums) {
    for (int phenomenon = 0, begin = 0, end; phenomenon < model->phenomena; phenomenon++, begin = end) {
        end = model->starts[phenomenon + 1];
        /* Far enough ahead to arrive in time, near enough not to be evicted before use. */
        for (int line = 0; line < 3; line++) SOON(model->surplus + begin + AHEAD + 4 * line);
        SOON(model->edge_cause + begin + 2 * AHEAD);
        Pair found = sums_of(model, belief, begin, end);
        sums[phenomenon] = (Surplus){found[0], found[1]};
    }
}

static long edges_of_touched(const Model *model, const State *state) {
    long edges = 0;
    for (int at = 0; at < state->touched_count; at++)
        edges += model->cause_starts[state->touched[at] + 1] - model->cause_starts[state->touched[at]];
    return edges;
}

/* Causes that no answer touches keep their prior times a constant, and so do their sums. Only the edges of the touched
   causes are visited, and their excess over that is added. If the answers touch many edges, or nearly all causes, all
   edges are visited. */
void expected_of_all(const Model *model, const State *state, double *yes, double *inner) {
    double share = state->share;
    if (share > MOST_SHARE || edges_of_touched(model, state) > model->edges / TOUCHED_SHARE) {
        for (int phenomenon = 0; phenomenon < model->phenomena; phenomenon++)
            expected(model, state, phenomenon, yes + phenomenon, inner + phenomenon);
        return;
    }
    for (int phenomenon = 0; phenomenon < model->phenomena; phenomenon++) {
        const Surplus *sums = model->prior_sums + phenomenon;
        Pair kept = {share * sums->rate, share * sums->entropy};
        expected_by(model, state->belief, phenomenon, kept, yes + phenomenon, inner + phenomenon);
    }
    for (int at = 0; at < state->touched_count; at++) {
        int cause = state->touched[at];
        double beyond = state->belief[cause] - share * model->prior[cause];
        for (int place = model->cause_starts[cause]; place < model->cause_starts[cause + 1]; place++) {
            int edge = model->cause_order[place], phenomenon = phenomenon_of(model, edge);
            yes[phenomenon] += beyond * model->surplus[edge].rate;
            inner[phenomenon] += beyond * model->surplus[edge].entropy;
        }
    }
}

double exact_gain(const State *state, double yes, double inner) {
    double most = least_of(1.0, state->entropy), bits = binary_entropy(yes) - inner;
    return bits < 0.0 ? 0.0 : bits > most ? most : bits;
}

/* The best questions so far, by falling rank score, ties by id. */
typedef struct {
    const Model *model;
    const State *state;
    const double *novelty; /* by phenomenon, or NULL if all are 1 */
    unsigned char *closed; /* answered, excluded, or evaluated */
    Place *places;
    Question *questions; /* in the order of `places` */
    int limit, found;
    double last; /* the rank score of the last question wanted; 0 while there are too few */
} Search;

static double price_of(const Model *model, int phenomenon) {
    return 1.0 + PRICE * (model->costs[phenomenon] - 1.0);
}

/* True if a phenomenon with these approximate sums may be among the best. */
static int may_be_best(const Search *search, int phenomenon, double yes, double inner) {
    double bound = entropy_bound(yes) - inner + MARGIN, price = price_of(search->model, phenomenon);
    double share = search->novelty == NULL ? 1.0 : search->novelty[phenomenon];
    return bound >= FEWEST_BITS && bound * share >= (search->last - MARGIN) * price;
}

static void evaluate(Search *search, int phenomenon) {
    double yes, inner, price = price_of(search->model, phenomenon);
    double share = search->novelty == NULL ? 1.0 : search->novelty[phenomenon];
    expected(search->model, search->state, phenomenon, &yes, &inner);
    if (!may_be_best(search, phenomenon, yes, inner)) return;
    double bits = exact_gain(search->state, yes, inner);
    if (bits < FEWEST_BITS) return;
    double score = (search->novelty == NULL ? bits : bits * share) / price;
    Place place = {key_of(score), phenomenon};
    int at = search->found < search->limit ? search->found : search->limit - 1;
    if (search->found == search->limit && !is_before(place, search->places[at])) return;
    for (; at > 0 && is_before(place, search->places[at - 1]); at--) {
        search->places[at] = search->places[at - 1];
        search->questions[at] = search->questions[at - 1];
    }
    if (search->found < search->limit) search->found++;
    search->places[at] = place;
    search->questions[at] = (Question){phenomenon, yes, bits, score};
    if (search->found == search->limit) search->last = search->places[search->limit - 1].key / DECIMALS;
}

static long edges_of(const Model *model, int phenomenon) {
    return model->starts[phenomenon + 1] - model->starts[phenomenon];
}

/* gain_bounds._factor: from any untouched cause. */
static double promise_factor(const Model *model, const State *state) {
    double ratio = state->belief[model->causes] / model->prior[model->causes];
    int untouched = 0;
    while (untouched < state->touched_count && state->touched[untouched] == untouched) untouched++;
    if (untouched == model->causes) return ratio;
    return most_of(ratio, state->belief[untouched] / model->prior[untouched]);
}

/* gain_bounds.nearly_best: evaluates the phenomena linked to touched causes, then others by falling bound until no bound
   reaches the last question wanted. Returns 0 if evaluating all would be no more work; the caller then starts over. */
static int evaluate_bounded(Search *search) {
    const Model *model = search->model;
    const State *state = search->state;
    long budget = model->edges / EDGES_SHARE, begin = 0, block = FIRST_BLOCK;
    if (edges_of_touched(model, state) > budget) return 0;
    for (int at = 0; at < state->touched_count; at++) {
        int cause = state->touched[at];
        for (int place = model->cause_starts[cause]; place < model->cause_starts[cause + 1]; place++) {
            int phenomenon = phenomenon_of(model, model->cause_order[place]);
            if (search->closed[phenomenon]) continue;
            search->closed[phenomenon] = 1;
            budget -= edges_of(model, phenomenon);
            if (budget < 0) return 0;
            evaluate(search, phenomenon);
        }
    }
    double factor = promise_factor(model, state), least = FEWEST_BITS / model->dearest;
    for (;;) {
        double bound = factor * (begin < model->bound_count ? model->bound_values[begin] : model->rest);
        if (bound < most_of(search->last, least) - MARGIN) return 1;
        if (begin >= model->bound_count) return 0;
        for (long at = begin; at < begin + block && at < model->bound_count; at++) {
            int phenomenon = model->bound_phenomena[at];
            if (search->closed[phenomenon]) continue;
            search->closed[phenomenon] = 1;
            budget -= edges_of(model, phenomenon);
            if (budget < 0) return 0;
            evaluate(search, phenomenon);
        }
        begin += block;
        block *= 2;
    }
}

/* redundancy.Redundancy.novelty: the share of each gain that the answered phenomena leave. */
static const double *novelty_of(const Model *model, Memory *memory, const AnswerBits *said) {
    double *shares = NULL;
    for (int answer = 0; answer < said->size; answer++) {
        Span partners = partners_of(model, said->answers[answer].phenomenon);
        for (int at = partners.begin; at < partners.end; at++) {
            if (shares == NULL) {
                shares = TAKE(memory, double, model->phenomena);
                for (int each = 0; each < model->phenomena; each++) shares[each] = 1.0;
            }
            double *share = shares + model->partners[at];
            *share = least_of(*share, 1.0 - model->rhos[at]);
        }
    }
    return shares;
}

static void close_answered(Search *search, const int *excluded, int count) {
    memset(search->closed, 0, (size_t)search->model->phenomena);
    for (int at = 0; at < search->state->count; at++) search->closed[search->state->answers[at].phenomenon] = 1;
    for (int at = 0; at < count; at++) search->closed[excluded[at]] = 1;
}

int best_questions(const Model *model, Memory *memory, const State *state, const int *excluded, int excluded_count,
                   int limit, Question *found) {
    Search search = {
        .model = model,
        .state = state,
        .novelty = novelty_of(model, memory, &state->answer_bits),
        .closed = TAKE(memory, unsigned char, model->phenomena),
        .places = TAKE(memory, Place, limit),
        .questions = found,
        .limit = limit,
    };
    close_answered(&search, excluded, excluded_count);
    if (model->bound_count > 0) {
        if (evaluate_bounded(&search)) return search.found;
        close_answered(&search, excluded, excluded_count);
        search.found = 0;
        search.last = 0.0;
    }
    double *yes = TAKE(memory, double, model->phenomena), *inner = TAKE(memory, double, model->phenomena);
    expected_of_all(model, state, yes, inner);
    for (int phenomenon = 0; phenomenon < model->phenomena; phenomenon++)
        if (!search.closed[phenomenon] && may_be_best(&search, phenomenon, yes[phenomenon], inner[phenomenon]))
            evaluate(&search, phenomenon);
    return search.found;
}
