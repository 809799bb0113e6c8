/* See pages.h. A page in front says how much there is. */
#include "base/io/pages.h"
#include "base/check.h"
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Below this a page for the size would cost more than it saves. */
static const size_t large = (size_t)1 << 20;
enum { FRONT = 64 }; /* keeps any alignment that the heap has, and marks what came from it */

struct pages_front {
    size_t mapped; /* bytes of the mapping; 0 = of the heap */
};

void *tac_pages_take(size_t count, size_t size)
{
    size_t bytes;
    struct pages_front *front;
    static_assert(sizeof *front <= FRONT, "the front has room for its size");
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - FRONT)
        return NULL;
    bytes += FRONT;
    if (bytes < large) {
        front = calloc(1, bytes);
    } else {
        void *mapped =
            mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        front = mapped == MAP_FAILED ? NULL : mapped;
        if (front)
            front->mapped = bytes;
    }
    return front ? (char *)front + FRONT : NULL;
}

void tac_pages_give(void *pages)
{
    if (!pages)
        return;
    struct pages_front *front = (struct pages_front *)(void *)((char *)pages - FRONT);
    assert(!front->mapped || front->mapped >= large);
    if (front->mapped)
        munmap(front, front->mapped);
    else
        free(front);
}
