/* The best open questions: the twin of gain.py, promise.py and recommend.Ranking.top.

   A phenomenon's two sums are worked out as they are reported, edge by edge; what costs is the entropy of the yes. A
   bound of it from a table shows for nearly all phenomena that they are not among the best; the others get the exact
   one, and these numbers decide. */
#include "kernel.h"

#define FEWEST_BITS 1e-4
/* A row of the bound's table for each 128th part of each power of two from 2^-16 to 1/2. */
enum { BOUND_CELLS = 128, BOUND_POWERS = 16, EDGES_SHARE = 6, FIRST_BLOCK = 256 };

/* h(x) <= offset + slope x in a cell. */
static struct {
    double offset, slope;
} bounds[BOUND_CELLS * BOUND_POWERS];

void prepare_bounds(void) {
    for (int cell = 0; cell < BOUND_CELLS * BOUND_POWERS; cell++) {
        double power = ldexp(1.0, cell / BOUND_CELLS - BOUND_POWERS - 1);
        double left = power * (1.0 + (double)(cell % BOUND_CELLS) / BOUND_CELLS);
        double middle = left + power / BOUND_CELLS / 2.0;
        /* h is concave: its tangent is nowhere below it. */
        double slope = log2_of(1.0 - middle) - log2_of(middle);
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

void expected(const Library *library, const State *state, int phenomenon, double *yes, double *inner) {
    const double *belief = state->belief;
    const int *causes = library->edge_cause;
    double rates = 0.0, entropies = 0.0, other = belief[library->causes], known = 1.0 - other;
    int end = library->starts[phenomenon + 1];
    for (int edge = library->starts[phenomenon]; edge < end; edge++) {
        double held = belief[causes[edge]];
        rates += held * library->surplus[edge].rate;
        entropies += held * library->surplus[edge].entropy;
    }
    *yes = known * library->leak[phenomenon] + other * library->base[phenomenon] + rates;
    *inner = known * library->leak_entropy[phenomenon] + other * library->base_entropy[phenomenon] + entropies;
}

void sums_of_all(int phenomena, const int *starts, const int *causes, const Surplus *surplus, const double *belief,
                 Surplus *sums) {
    for (int phenomenon = 0, edge = 0; phenomenon < phenomena; phenomenon++) {
        double rates = 0.0, entropies = 0.0;
        for (int end = starts[phenomenon + 1]; edge < end; edge++) {
            double held = belief[causes[edge]];
            rates += held * surplus[edge].rate;
            entropies += held * surplus[edge].entropy;
        }
        sums[phenomenon] = (Surplus){rates, entropies};
    }
}

double exact_gain(const State *state, double yes, double inner) {
    double most = least_of(1.0, state->entropy), bits = binary_entropy(yes) - inner;
    return bits < 0.0 ? 0.0 : bits > most ? most : bits;
}

/* The best questions so far, by falling rank, ties by id. */
typedef struct {
    const Library *library;
    const State *state;
    const double *novelty; /* of every phenomenon, or NULL where all are new */
    unsigned char *closed; /* answered, not wanted, or looked at */
    Place *places;
    Question *questions; /* by place in `kept` */
    int limit, found;
} Search;

/* The rank that the last question wanted has; 0 while there are too few. */
static double last_rank(const Search *search) {
    return search->found == search->limit ? search->places[search->limit - 1].key / DECIMALS : 0.0;
}

static void look_at(Search *search, int phenomenon) {
    double yes, inner, price = search->library->prices[phenomenon];
    double share = search->novelty == NULL ? 1.0 : search->novelty[phenomenon];
    expected(search->library, search->state, phenomenon, &yes, &inner);
    double bound = entropy_bound(yes) - inner + MARGIN;
    if (bound < FEWEST_BITS || bound * share < (last_rank(search) - MARGIN) * price) return;
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
}

static long edges_of(const Library *library, int phenomenon) {
    return library->starts[phenomenon + 1] - library->starts[phenomenon];
}

/* promise._factor: by any untouched cause. */
static double promise_factor(const Library *library, const State *state) {
    double ratio = state->belief[library->causes] / library->prior[library->causes];
    int untouched = 0;
    while (untouched < state->touched_count && state->touched[untouched] == untouched) untouched++;
    if (untouched == library->causes) return ratio;
    return most_of(ratio, state->belief[untouched] / library->prior[untouched]);
}

/* promise.nearly_best: looks at those linked to touched causes, then by falling bound until no bound reaches the last
   one wanted. Returns 0 where that would be no less work than looking at all; then what was looked at is forgotten. */
static int look_at_promising(Search *search) {
    const Library *library = search->library;
    const State *state = search->state;
    long budget = library->edges / EDGES_SHARE, begin = 0, block = FIRST_BLOCK, linked = 0;
    for (int at = 0; at < state->touched_count; at++)
        linked += library->cause_starts[state->touched[at] + 1] - library->cause_starts[state->touched[at]];
    if (linked > budget) return 0;
    for (int at = 0; at < state->touched_count; at++) {
        int cause = state->touched[at];
        for (int place = library->cause_starts[cause]; place < library->cause_starts[cause + 1]; place++) {
            int phenomenon = phenomenon_of(library, library->cause_order[place]);
            if (search->closed[phenomenon]) continue;
            search->closed[phenomenon] = 1;
            budget -= edges_of(library, phenomenon);
            if (budget < 0) return 0;
            look_at(search, phenomenon);
        }
    }
    double factor = promise_factor(library, state), least = FEWEST_BITS / library->dearest;
    for (;;) {
        double bound = factor * (begin < library->promised ? library->promises[begin] : library->rest);
        if (bound < most_of(last_rank(search), least) - MARGIN) return 1;
        if (begin >= library->promised) return 0;
        for (long at = begin; at < begin + block && at < library->promised; at++) {
            int phenomenon = library->promising[at];
            if (search->closed[phenomenon]) continue;
            search->closed[phenomenon] = 1;
            budget -= edges_of(library, phenomenon);
            if (budget < 0) return 0;
            look_at(search, phenomenon);
        }
        begin += block;
        block *= 2;
    }
}

/* redundancy.Redundancy.novelty: the share that the answered ones do not tell already. */
static const double *novelty_of(const Library *library, Memory *memory, const Told *said) {
    double *shares = NULL;
    for (int answer = 0; answer < said->size; answer++) {
        int phenomenon = said->answers[answer].phenomenon;
        for (int at = library->partner_starts[phenomenon]; at < library->partner_starts[phenomenon + 1]; at++) {
            if (shares == NULL) {
                shares = TAKE(memory, double, library->phenomena);
                for (int each = 0; each < library->phenomena; each++) shares[each] = 1.0;
            }
            double *share = shares + library->partners[at];
            *share = least_of(*share, 1.0 - library->rhos[at]);
        }
    }
    return shares;
}

static void close_answered(Search *search, const int *excluded, int count) {
    memset(search->closed, 0, (size_t)search->library->phenomena);
    for (int at = 0; at < search->state->count; at++) search->closed[search->state->answers[at].phenomenon] = 1;
    for (int at = 0; at < count; at++) search->closed[excluded[at]] = 1;
}

int best_questions(const Library *library, Memory *memory, const State *state, const int *excluded, int excluded_count,
                   int limit, Question *found) {
    Search search = {
        .library = library,
        .state = state,
        .novelty = novelty_of(library, memory, &state->told),
        .closed = TAKE(memory, unsigned char, library->phenomena),
        .places = TAKE(memory, Place, limit),
        .questions = found,
        .limit = limit,
    };
    close_answered(&search, excluded, excluded_count);
    if (library->promised > 0) {
        if (look_at_promising(&search)) return search.found;
        close_answered(&search, excluded, excluded_count);
        search.found = 0;
    }
    for (int phenomenon = 0; phenomenon < library->phenomena; phenomenon++)
        if (!search.closed[phenomenon]) look_at(&search, phenomenon);
    return search.found;
}
