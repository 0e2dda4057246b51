/* Logarithm, power, sums and order with the bits of numerics.py: additions, multiplications, divisions and exact scaling
   only, in the same order. Compile with -ffp-contract=off: a fused multiply-add rounds once less. */
#ifndef DBDIAG_NUMBERS_H
#define DBDIAG_NUMBERS_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#if FLT_EVAL_METHOD != 0
#error "doubles must be computed as doubles; without the kernel, NumPy gives the same bytes"
#endif

enum { STEPS = 128, PARTS = 64, ATANH_TERMS = 4, POWER_TERMS = 7 };

/* Copied from numerics.py when the module is loaded, so that there is one source. */
typedef struct {
    double logs[STEPS + 1], atanh[ATANH_TERMS], roots[PARTS], power[POWER_TERMS];
} NumberTables;
extern NumberTables number_tables;

#define SMALLEST (-1060.0)
#define DECIMALS 1e12

static inline uint64_t bits_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double double_of_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Rounds to the nearest integer, halves to even: adding 1.5 * 2^52 rounds the fraction away. */
static inline double nearest(double value) {
    const double shift = 6755399441055744.0;
    return fabs(value) < 2251799813685248.0 ? (value + shift) - shift : rint(value);
}

/* The sort key of a value: the value in units of 1e-12. */
static inline double key_of(double value) { return nearest(value * DECIMALS); }

/* A value as reported. Adding zero turns -0.0 into 0.0. */
static inline double reported_key(double key) { return key / DECIMALS + 0.0; }
static inline double round_reported(double value) { return reported_key(key_of(value)); }

/* log2 of a positive number. */
static inline double log2_scalar(double value) {
    double mantissa;
    int exponent;
    uint64_t bits = bits_of_double(value), raised = bits >> 52;
    if (raised > 0 && raised < 0x7ff) {
        exponent = (int)raised - 1022;
        mantissa = double_of_bits((bits & 0x000fffffffffffffULL) | 0x3fe0000000000000ULL);
    } else {
        mantissa = frexp(value, &exponent);
    }
    double step = nearest(mantissa * STEPS), whole = number_tables.logs[(int)step] + exponent;
    step /= STEPS;
    double fraction = (mantissa - step) / (mantissa + step), square = fraction * fraction;
    const double *terms = number_tables.atanh;
    double total = square * terms[3];
    total = (total + terms[2]) * square;
    total = (total + terms[1]) * square;
    total += terms[0];
    total *= fraction;
    return total + whole;
}

/* 2 to the power of a value; results below 2^-1060 become 0. */
static inline double exp2_of(double value) {
    double kept = value > SMALLEST ? value : SMALLEST, parts = nearest(kept * PARTS), rest = kept - parts / PARTS;
    const double *terms = number_tables.power;
    double total = rest * terms[POWER_TERMS - 1];
    for (int at = POWER_TERMS - 2; at > 0; at--) total = (total + terms[at]) * rest;
    total += terms[0];
    int place = (int)parts, part = ((place % PARTS) + PARTS) % PARTS;
    total *= number_tables.roots[part];
    total *= value >= SMALLEST ? 1.0 : 0.0;
    int exponent = (place - part) / PARTS;
    return exponent > -1000 ? total * double_of_bits((uint64_t)(exponent + 1023) << 52) : ldexp(total, exponent);
}

/* h(x) in bits. */
static inline double binary_entropy(double rate) {
    double no = 1.0 - rate;
    return -(rate * log2_scalar(rate) + no * log2_scalar(no));
}

/* The sum in the order of NumPy's add.reduce over one contiguous row. */
static inline double summed(const double *values, long count) {
    if (count < 8) {
        double total = 0.0;
        for (long at = 0; at < count; at++) total += values[at];
        return total;
    }
    if (count <= 128) {
        double part[8];
        long at;
        for (int lane = 0; lane < 8; lane++) part[lane] = values[lane];
        for (at = 8; at < count - count % 8; at += 8)
            for (int lane = 0; lane < 8; lane++) part[lane] += values[at + lane];
        double total = ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
        for (; at < count; at++) total += values[at];
        return total;
    }
    long half = count / 2;
    half -= half % 8;
    double left, right;
    /* Two statements, because C does not define the order of two calls in one expression. */
    left = summed(values, half);
    right = summed(values + half, count - half);
    return left + right;
}

static inline double least_of(double left, double right) { return left < right ? left : right; }
static inline double most_of(double left, double right) { return left > right ? left : right; }

/* A position in a list that is ordered by falling key, ties by rising position. */
typedef struct {
    double key;
    int at;
} Place;

static inline int is_before(Place left, Place right) {
    return left.key > right.key || (left.key == right.key && left.at < right.at);
}

/* Inserts into the `found` best so far, keeping at most `limit`. Returns their new number. */
static inline int insert(Place *best, int found, int limit, Place one) {
    if (found == limit && (limit == 0 || !is_before(one, best[limit - 1]))) return found;
    int at = found < limit ? found++ : limit - 1;
    for (; at > 0 && is_before(one, best[at - 1]); at--) best[at] = best[at - 1];
    best[at] = one;
    return found;
}

/* Sorts places; fast for few. */
void sort_places(Place *places, long count);
/* Moves the first `limit` places, in any order, to the front. */
void select_places(Place *places, long count, long limit);

#endif
