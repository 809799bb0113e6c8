/* Native crashes that a log tells of: libc's "Fatal signal", and the dumps of debuggerd (DEBUG) and
 * of Unity (CRASH), which are all there is in a log of one tag or one that begins late. */
#ifndef TAC_FACTS_NATIVES_H
#define TAC_FACTS_NATIVES_H

#include "base/data/arena.h"
#include "base/data/vec.h"
#include "figures/kind.h"
#include "trace/log/record.h"

struct native_dump {
    uint32_t pid;
    const char *signal; /* "11 SIGSEGV pid 9" */
};

struct natives {
    int64_t count; /* what libc told */
    const char *first;
    TAC_VEC(uint32_t) signalled;       /* of whom */
    TAC_VEC(struct native_dump) dumps; /* of whom debuggerd or Unity told, each once */
    int64_t more;                      /* dumps past those that are kept */
    uint32_t dumped_pid;               /* of whom debuggerd speaks */
};

/* Texts live as long as the arena. */
void natives_take(struct natives *natives, const struct log_record *record, tac_arena *arena);
void natives_tell(const struct natives *natives, struct figures *facts);
void natives_free(struct natives *natives);

#endif
