/* Sorting, and the memory of one call. */
#include <stdlib.h>

#include "kernel.h"

NumberTables number_tables;

static int by_place(const void *left, const void *right) {
    return is_before(*(const Place *)left, *(const Place *)right) ? -1 : 1;
}

void sort_places(Place *places, long count) {
    if (count > 24) {
        qsort(places, (size_t)count, sizeof(Place), by_place);
        return;
    }
    for (long sorted = 1; sorted < count; sorted++) {
        Place one = places[sorted];
        long at = sorted;
        for (; at > 0 && is_before(one, places[at - 1]); at--) places[at] = places[at - 1];
        places[at] = one;
    }
}

void select_places(Place *places, long count, long limit) {
    long first = 0, last = count - 1;
    while (first < last) {
        Place middle = places[first + (last - first) / 2];
        long left = first, right = last;
        while (left <= right) {
            while (is_before(places[left], middle)) left++;
            while (is_before(middle, places[right])) right--;
            if (left <= right) {
                Place one = places[left];
                places[left++] = places[right];
                places[right--] = one;
            }
        }
        if (limit - 1 <= right) last = right;
        else if (limit - 1 >= left) first = left;
        else return;
    }
}

void *take(Memory *memory, size_t bytes) {
    size_t wanted = (bytes + 31) & ~(size_t)31;
    Chunk *chunk = memory->last;
    if (chunk == NULL || chunk->size - chunk->used < wanted) {
        size_t size = chunk == NULL ? memory->first : 2 * chunk->size;
        if (size < wanted) size = wanted;
        Chunk *fresh = malloc(sizeof(Chunk) + 32 + size);
        if (fresh == NULL) longjmp(*memory->without, 1);
        fresh->before = chunk;
        fresh->used = 0;
        fresh->size = size;
        memory->last = chunk = fresh;
    }
    char *begin = (char *)(((uintptr_t)(chunk + 1) + 31) & ~(uintptr_t)31);
    void *found = begin + chunk->used;
    chunk->used += wanted;
    return found;
}

void *take_zeros(Memory *memory, size_t bytes) { return memset(take(memory, bytes), 0, bytes); }

void release(Memory *memory) {
    Chunk *chunk = memory->last;
    if (chunk == NULL) return;
    if (chunk->before == NULL) {
        chunk->used = 0;
        return;
    }
    /* So that the next call needs only one chunk. */
    memory->first = 0;
    while (chunk != NULL) {
        Chunk *before = chunk->before;
        memory->first += chunk->size;
        free(chunk);
        chunk = before;
    }
    memory->last = NULL;
}
