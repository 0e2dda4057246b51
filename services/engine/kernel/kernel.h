/* The compiled twin of Diagnose by SCORING_RULE_BAYES. Each function corresponds to the one of the same name in
   inference/, tables/ or results/ and gives the same bits, which tests verify. This header declares what the files share. */
#ifndef DBDIAG_KERNEL_H
#define DBDIAG_KERNEL_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <setjmp.h>

#include "numbers.h"

enum { CONFIRMED = 1, DENIED = 2, UNKNOWN = 3 };
/* lookahead.SHOWN, lookahead._LEADING and conclusion.MAX_UNCHECKED. */
enum { SHOWN = 3, LEADING = 5, UNCHECKED = 5 };
#define ROUNDING 1e-12
#define MARGIN 1e-9

/* The memory of one call, allocated piece by piece and released at once. */
typedef struct Chunk {
    struct Chunk *before;
    size_t used, size;
} Chunk;

typedef struct {
    Chunk *last;
    size_t first;     /* the size of the first chunk */
    jmp_buf *without; /* the jump target if memory runs out */
} Memory;

void *take(Memory *memory, size_t bytes);
void *take_zeros(Memory *memory, size_t bytes);
void release(Memory *memory);
#define TAKE(memory, type, count) ((type *)take((memory), sizeof(type) * (size_t)(count)))
#define TAKE_ZEROS(memory, type, count) ((type *)take_zeros((memory), sizeof(type) * (size_t)(count)))

/* The excess of an edge over the leak, of theta' and of h(theta'). */
typedef struct {
    double rate, entropy;
} Surplus;

/* The arrays of likelihoods.Likelihoods and snapshot.Snapshot, borrowed from NumPy; see there. */
typedef struct {
    int causes, phenomena, edges, bound_count;
    const int *starts, *edge_cause, *cause_order, *cause_starts, *bound_phenomena, *partner_starts, *partners, *costs,
        *ticket_counts;
    const Surplus *surplus, *prior_sums; /* by phenomenon, under the prior */
    const double *prior, *prior_bits, *base, *leak, *base_entropy, *leak_entropy, *bound_values, *rhos;
    double rest, dearest;
    int redundant; /* true if any phenomena are redundant; otherwise partner_starts is empty */
    int *coarse;   /* the phenomenon of every 64th edge */
} Model;

typedef struct {
    int begin, end;
} Span;

/* The span of the partners of a phenomenon and their rhos; see redundancy.Redundancy. */
static inline Span partners_of(const Model *model, int phenomenon) {
    if (!model->redundant) return (Span){0, 0};
    return (Span){model->partner_starts[phenomenon], model->partner_starts[phenomenon + 1]};
}

typedef struct {
    int phenomenon, verdict;
    double score;
} Answer;

static inline int counts(const Answer *answer) { return answer->verdict != UNKNOWN && answer->score > 0.0; }

/* answer_bits.AnswerBits: the A answers that count, with their edges, one answer after another. */
typedef struct {
    int size;
    Answer *answers;
    double *weights, *leak, *base, *unlinked, *other, *unlinked_bits;
    int *starts; /* the start of each answer's edges (A+1) */
    int *causes;
    double *linked, *linked_bits;
} AnswerBits;

/* posterior.Posterior: belief (R+1), OTHER last; the touched causes in order. */
typedef struct {
    const Answer *answers;
    int count;
    AnswerBits answer_bits;
    double *belief, entropy, share; /* the factor from prior to belief of the untouched causes */
    int *touched, touched_count;
    Place *leaders; /* the first `led` causes by falling belief */
    int led;
} State;

State posterior(const Model *model, Memory *memory, const Answer *answers, int count);
/* Ensures that the first `count` leaders are known. */
void find_leaders(const Model *model, Memory *memory, State *state, int count);
/* The bits that each answer adds to a cause (answers). */
void contributions(const State *state, int cause, double *bits);
/* The position of the answer to a phenomenon among the counting answers, or -1. */
int find_answer(const AnswerBits *answer_bits, int phenomenon);
/* The position of the edge of a counting answer and a cause, or -1. */
int find_edge(const AnswerBits *answer_bits, int answer, int cause);
double rate_of(const Model *model, int phenomenon, int cause);
int edge_of(const Model *model, int phenomenon, int cause);
int phenomenon_of(const Model *model, int edge);
/* redundancy.Redundancy.is_independent: true if a phenomenon is redundant with no counting answer. */
int is_independent(const Model *model, int phenomenon, const AnswerBits *answer_bits);

/* recommendation.Ranked. */
typedef struct {
    int phenomenon;
    double yes, bits, score;
} Question;

int best_questions(const Model *model, Memory *memory, const State *state, const int *excluded, int excluded_count,
                   int limit, Question *found);
/* sum_r pi_r theta'_pr and sum_r pi_r h(theta'_pr) by phenomenon (P), with an error of about 1e-15. */
void expected_of_all(const Model *model, const State *state, double *yes, double *inner);
/* The sums by phenomenon under a belief (R). */
void sums_of_all(const Model *model, const double *belief, Surplus *sums);
/* The same two numbers for one phenomenon, as reported. */
void expected(const Model *model, const State *state, int phenomenon, double *yes, double *inner);
/* gain.exact_gains for one phenomenon. */
double exact_gain(const State *state, double yes, double inner);

/* lookahead.Outlook. */
typedef struct {
    int cause;
    double belief;
} Leader;

typedef struct {
    Leader sides[2][SHOWN]; /* after a yes and after a no */
    double leader[2];
    int shown, separated_count, separated[LEADING];
} Outlook;

void outlooks(const Model *model, Memory *memory, State *state, const Question *asked, int count, Outlook *found);

/* model.Conclusion by positions; `second` may be -1. Supporting and conflicting are positions of answers. */
typedef struct {
    int supporting_count, conflicting_count, unchecked_count, unexplained_count, second;
    int *supporting, *conflicting, *unexplained, unchecked[UNCHECKED];
    double second_confidence;
} Verdict;

/* Returns 1 if the leader is concluded, and fills the conclusion. */
int conclude(const Model *model, Memory *memory, State *state, double threshold, Verdict *said);
double surprise_bits(Memory *memory, const State *state, int cause);
/* Returns the bits of the pair, and fills its positions among the counting answers; 0 if there is none. */
double contradiction(const Model *model, Memory *memory, const State *state, int leader, int pair[2]);

/* Fills the table of entropy bounds, which saves most logarithms. */
void prepare_bounds(void);

#endif
