/* Typed growable arrays: TAC_VEC(int) numbers = {0}; tac_vec_push(&numbers, 7); numbers.at[0].
 * A zeroed struct is empty. Growth doubles, so pushing is O(1) amortised. */
#pragma once

#include "base/data/alloc.h"
#include <string.h>

#define TAC_VEC(type)                                                                              \
    struct {                                                                                       \
        type *at;                                                                                  \
        size_t count, capacity;                                                                    \
    }

size_t tac_vec_next_capacity(size_t capacity, size_t wanted);

#define tac_vec_reserve(vec, wanted)                                                               \
    do {                                                                                           \
        if ((vec)->capacity < (size_t)(wanted)) {                                                  \
            (vec)->capacity = tac_vec_next_capacity((vec)->capacity, (size_t)(wanted));            \
            (vec)->at = tac_realloc((vec)->at, (vec)->capacity, sizeof *(vec)->at);                \
        }                                                                                          \
    } while (0)
#define tac_vec_push(vec, ...)                                                                     \
    do {                                                                                           \
        tac_vec_reserve((vec), (vec)->count + 1);                                                  \
        (vec)->at[(vec)->count++] = (__VA_ARGS__);                                                 \
    } while (0)
/* Appends n elements copied from source. */
#define tac_vec_append(vec, source, n)                                                             \
    do {                                                                                           \
        size_t tac_n_ = (size_t)(n);                                                               \
        tac_vec_reserve((vec), (vec)->count + tac_n_);                                             \
        if (tac_n_)                                                                                \
            memcpy((vec)->at + (vec)->count, (source), tac_n_ * sizeof *(vec)->at);                \
        (vec)->count += tac_n_;                                                                    \
    } while (0)
#define tac_vec_pop(vec) ((vec)->at[--(vec)->count])
#define tac_vec_last(vec) ((vec)->at[(vec)->count - 1])
#define tac_vec_free(vec)                                                                          \
    do {                                                                                           \
        free((vec)->at);                                                                           \
        (vec)->at = NULL;                                                                          \
        (vec)->count = (vec)->capacity = 0;                                                        \
    } while (0)
