/* The best open questions: the twin of gain.py, promise.py and recommend.Ranking.top.

   A phenomenon's two sums are worked out as they are reported, edge by edge; what costs is the entropy of the yes. A
   bound of it from a table shows for nearly all phenomena that they are not among the best; the others get the exact
   one, and these numbers decide. */
#include "kernel.h"

#define FEWEST_BITS 1e-4
#define PRICE 0.25
/* Above it, what is taken away would be so much more than what is left that digits would be lost. */
#define MOST_SHARE 1e3
/* A row of the bound's table for each 128th part of each power of two from 2^-16 to 1/2. */
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

#if defined(__GNUC__)
/* Two numbers that the processor adds and multiplies at once, each as it would alone. */
typedef double Pair __attribute__((vector_size(16), aligned(8)));
#define SOON(place) __builtin_prefetch(place)
#else
#error "the kernel is written for compilers with GCC's vectors; without it NumPy does the same"
#endif

/* The sum over a phenomenon's edges of belief times surplus, edge by edge. */
static inline Pair sums_of(const Library *library, const double *belief, int edge, int end) {
    const Pair *surplus = (const Pair *)library->surplus;
    const int *causes = library->edge_cause;
    Pair sums = {0.0, 0.0};
    for (; edge < end; edge++) {
        double held = belief[causes[edge]];
        sums += (Pair){held, held} * surplus[edge];
    }
    return sums;
}

static inline void expected_by(const Library *library, const double *belief, int phenomenon, Pair sums, double *yes,
                               double *inner) {
    double other = belief[library->causes], known = 1.0 - other;
    *yes = known * library->leak[phenomenon] + other * library->base[phenomenon] + sums[0];
    *inner = known * library->leak_entropy[phenomenon] + other * library->base_entropy[phenomenon] + sums[1];
}

void expected(const Library *library, const State *state, int phenomenon, double *yes, double *inner) {
    int begin = library->starts[phenomenon], end = library->starts[phenomenon + 1];
    expected_by(library, state->belief, phenomenon, sums_of(library, state->belief, begin, end), yes, inner);
}

void sums_of_all(const Library *library, const double *belief, Surplus *sums) {
    for (int phenomenon = 0, begin = 0, end; phenomenon < library->phenomena; phenomenon++, begin = end) {
        end = library->starts[phenomenon + 1];
        /* Far enough ahead that the edges are there when they are needed, near enough that they still are. */
        for (int line = 0; line < 3; line++) SOON(library->surplus + begin + AHEAD + 4 * line);
        SOON(library->edge_cause + begin + 2 * AHEAD);
        Pair found = sums_of(library, belief, begin, end);
        sums[phenomenon] = (Surplus){found[0], found[1]};
    }
}

static long edges_of_touched(const Library *library, const State *state) {
    long edges = 0;
    for (int at = 0; at < state->touched_count; at++)
        edges += library->cause_starts[state->touched[at] + 1] - library->cause_starts[state->touched[at]];
    return edges;
}

/* Causes that no answer touches keep their prior times a constant, and so do their sums: only the edges of the touched
   causes are looked at, and what these have beyond it is added. Where the answers touch much, or nearly all causes, all edges
   are looked at. */
void expected_of_all(const Library *library, const State *state, double *yes, double *inner) {
    double share = state->share;
    if (share > MOST_SHARE || edges_of_touched(library, state) > library->edges / TOUCHED_SHARE) {
        for (int phenomenon = 0; phenomenon < library->phenomena; phenomenon++)
            expected(library, state, phenomenon, yes + phenomenon, inner + phenomenon);
        return;
    }
    for (int phenomenon = 0; phenomenon < library->phenomena; phenomenon++) {
        const Surplus *sums = library->prior_sums + phenomenon;
        Pair kept = {share * sums->rate, share * sums->entropy};
        expected_by(library, state->belief, phenomenon, kept, yes + phenomenon, inner + phenomenon);
    }
    for (int at = 0; at < state->touched_count; at++) {
        int cause = state->touched[at];
        double beyond = state->belief[cause] - share * library->prior[cause];
        for (int place = library->cause_starts[cause]; place < library->cause_starts[cause + 1]; place++) {
            int edge = library->cause_order[place], phenomenon = phenomenon_of(library, edge);
            yes[phenomenon] += beyond * library->surplus[edge].rate;
            inner[phenomenon] += beyond * library->surplus[edge].entropy;
        }
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
    double last; /* the rank that the last question wanted has; 0 while there are too few */
} Search;

static double price_of(const Library *library, int phenomenon) {
    return 1.0 + PRICE * (library->costs[phenomenon] - 1.0);
}

/* Whether a phenomenon of about these sums may be among the best. */
static int may_be_best(const Search *search, int phenomenon, double yes, double inner) {
    double bound = entropy_bound(yes) - inner + MARGIN, price = price_of(search->library, phenomenon);
    double share = search->novelty == NULL ? 1.0 : search->novelty[phenomenon];
    return bound >= FEWEST_BITS && bound * share >= (search->last - MARGIN) * price;
}

static void look_at(Search *search, int phenomenon) {
    double yes, inner, price = price_of(search->library, phenomenon);
    double share = search->novelty == NULL ? 1.0 : search->novelty[phenomenon];
    expected(search->library, search->state, phenomenon, &yes, &inner);
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
    long budget = library->edges / EDGES_SHARE, begin = 0, block = FIRST_BLOCK;
    if (edges_of_touched(library, state) > budget) return 0;
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
        if (bound < most_of(search->last, least) - MARGIN) return 1;
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
        Span partners = partners_of(library, said->answers[answer].phenomenon);
        for (int at = partners.begin; at < partners.end; at++) {
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
        search.last = 0.0;
    }
    double *yes = TAKE(memory, double, library->phenomena), *inner = TAKE(memory, double, library->phenomena);
    expected_of_all(library, state, yes, inner);
    for (int phenomenon = 0; phenomenon < library->phenomena; phenomenon++)
        if (!search.closed[phenomenon] && may_be_best(&search, phenomenon, yes[phenomenon], inner[phenomenon]))
            look_at(&search, phenomenon);
    return search.found;
}
