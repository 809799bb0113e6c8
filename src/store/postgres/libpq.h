/* libpq, opened late: libpq.exec is PQexec, and so on. */
#pragma once

#include "base/late/late.h"
#include <libpq-fe.h>

#define LIBPQ_CALLS(CALL)                                                                          \
    CALL(PQ, clear)                                                                                \
    CALL(PQ, cmdStatus)                                                                            \
    CALL(PQ, cmdTuples)                                                                            \
    CALL(PQ, connectdbParams)                                                                      \
    CALL(PQ, conninfoFree)                                                                         \
    CALL(PQ, conninfoParse)                                                                        \
    CALL(PQ, consumeInput)                                                                         \
    CALL(PQ, errorMessage)                                                                         \
    CALL(PQ, exec)                                                                                 \
    CALL(PQ, execParams)                                                                           \
    CALL(PQ, finish)                                                                               \
    CALL(PQ, freemem)                                                                              \
    CALL(PQ, getisnull)                                                                            \
    CALL(PQ, getlength)                                                                            \
    CALL(PQ, getvalue)                                                                             \
    CALL(PQ, notifies)                                                                             \
    CALL(PQ, ntuples)                                                                              \
    CALL(PQ, pingParams)                                                                           \
    CALL(PQ, resultErrorField)                                                                     \
    CALL(PQ, resultStatus)                                                                         \
    CALL(PQ, setNoticeReceiver)                                                                    \
    CALL(PQ, socket)                                                                               \
    CALL(PQ, status)

struct libpq {
    LIBPQ_CALLS(LATE_MEMBER)
};
/* Only after libpq_open. */
extern struct libpq libpq;

tac_status libpq_open(tac_error *err);
