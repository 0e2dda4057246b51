/* The compiled twin of a whole Diagnose by SCORING_RULE_BAYES. Every function stands beside the one of the same name in
   belief.py, gain.py, promise.py, after.py, conclude.py, contradict.py, surprise.py and recommend.py, gives the same
   bits, and is tested to. Here is only what goes from one to another. */
#ifndef DBDIAG_KERNEL_H
#define DBDIAG_KERNEL_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <setjmp.h>

#include "numbers.h"

enum { CONFIRMED = 1, DENIED = 2, UNKNOWN = 3 };
/* after.SHOWN and after._LEADING; conclude.MAX_UNCHECKED. */
enum { SHOWN = 3, LEADING = 5, UNCHECKED = 5 };
#define ROUNDING 1e-12
#define MARGIN 1e-9

/* Memory for one call, taken piece by piece and let go at once. */
typedef struct Chunk {
    struct Chunk *before;
    size_t used, size;
} Chunk;

typedef struct {
    Chunk *last;
    size_t first;     /* how large the first chunk shall be */
    jmp_buf *without; /* where to go when there is no memory */
} Memory;

void *take(Memory *memory, size_t bytes);
void *take_zeros(Memory *memory, size_t bytes);
void let_go(Memory *memory);
#define TAKE(memory, type, count) ((type *)take((memory), sizeof(type) * (size_t)(count)))
#define TAKE_ZEROS(memory, type, count) ((type *)take_zeros((memory), sizeof(type) * (size_t)(count)))

/* What an edge has above the leak: of theta' and of h(theta'). */
typedef struct {
    double rate, entropy;
} Surplus;

/* The arrays of likelihood.Likelihoods and snapshot.Snapshot, borrowed from NumPy; see there. */
typedef struct {
    int causes, phenomena, edges, promised;
    const int *starts, *edge_cause, *cause_order, *cause_starts, *promising, *partner_starts, *partners, *costs,
        *ticket_counts;
    const Surplus *surplus, *prior_sums; /* of every phenomenon under the prior */
    const double *prior, *prior_bits, *base, *leak, *base_entropy, *leak_entropy, *promises, *rhos;
    double rest, dearest;
    int redundant; /* whether any phenomena are; partner_starts has nothing to say where none is */
    int *coarse;   /* the phenomenon of every 64th edge */
} Library;

typedef struct {
    int begin, end;
} Span;

/* Where the partners of a phenomenon stand, and their rhos; see redundancy.Redundancy. */
static inline Span partners_of(const Library *library, int phenomenon) {
    if (!library->redundant) return (Span){0, 0};
    return (Span){library->partner_starts[phenomenon], library->partner_starts[phenomenon + 1]};
}

typedef struct {
    int phenomenon, verdict;
    double score;
} Answer;

static inline int counts(const Answer *answer) { return answer->verdict != UNKNOWN && answer->score > 0.0; }

/* told.ToldByEdges: the A answers that count and their edges, one answer after another. */
typedef struct {
    int size;
    Answer *answers;
    double *weights, *leak, *base, *unlinked, *other, *unlinked_bits;
    int *starts; /* where an answer's edges begin among all of these (A+1) */
    int *causes;
    double *linked, *linked_bits;
} Told;

/* belief.Posterior: belief (R+1), OTHER last; the touched causes in order. */
typedef struct {
    const Answer *answers;
    int count;
    Told told;
    double *belief, entropy, share; /* what untouched causes have left of their prior, as a factor */
    int *touched, touched_count;
    Place *leaders; /* the first `led` causes by falling belief */
    int led;
} State;

State posterior(const Library *library, Memory *memory, const Answer *answers, int count);
/* Makes sure that the first `count` leaders are known. */
void lead(const Library *library, Memory *memory, State *state, int count);
/* Bits that each of all answers adds to a cause (answers). */
void contributions(const State *state, int cause, double *bits);
/* Where the edge of an answer that counts and a cause stands among the answers' edges, or -1. */
int told_edge(const Told *told, int answer, int cause);
double rate_of(const Library *library, int phenomenon, int cause);
int edge_of(const Library *library, int phenomenon, int cause);
int phenomenon_of(const Library *library, int edge);
/* redundancy.Redundancy.alone: whether a phenomenon shares nothing with any of those told. */
int is_alone(const Library *library, int phenomenon, const Told *told);

/* recommend.Ranked. */
typedef struct {
    int phenomenon;
    double yes, bits, score;
} Question;

int best_questions(const Library *library, Memory *memory, const State *state, const int *excluded, int excluded_count,
                   int limit, Question *found);
/* sum_r pi_r theta'_pr and sum_r pi_r h(theta'_pr) of every phenomenon (P), right to about 1e-15. */
void expected_of_all(const Library *library, const State *state, double *yes, double *inner);
/* The sums of every phenomenon under a belief (R). */
void sums_of_all(const Library *library, const double *belief, Surplus *sums);
/* The same two numbers of one phenomenon, as they are reported. */
void expected(const Library *library, const State *state, int phenomenon, double *yes, double *inner);
/* gain.exact_gains of one phenomenon. */
double exact_gain(const State *state, double yes, double inner);

/* after.Outlook. */
typedef struct {
    int cause;
    double belief;
} Leader;

typedef struct {
    Leader sides[2][SHOWN]; /* after a yes and after a no */
    double leader[2];
    int shown, apart, told_apart[LEADING];
} Outlook;

void outlooks(const Library *library, Memory *memory, State *state, const Question *asked, int count, Outlook *found);

/* conclude.Conclusion by positions; `second` is -1 for none. Supporting and conflicting are positions of answers. */
typedef struct {
    int supporting_count, conflicting_count, unchecked_count, unexplained_count, second;
    int *supporting, *conflicting, *unexplained, unchecked[UNCHECKED];
    double second_confidence;
} Verdict;

/* 1 where the leader is concluded, with what is said about it. */
int conclude(const Library *library, Memory *memory, State *state, double threshold, Verdict *said);
double surprise_bits(Memory *memory, const State *state, int cause);
/* The bits of the pair, by positions among the answers that count; 0 for none. */
double contradiction(const Library *library, Memory *memory, const State *state, int leader, int pair[2]);

/* Fills the table that spares most phenomena their logarithms. */
void prepare_bounds(void);

#endif
