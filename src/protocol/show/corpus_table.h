/* The tables over many problems. */
#ifndef TAC_PROTOCOL_CORPUS_TABLE_H
#define TAC_PROTOCOL_CORPUS_TABLE_H

#include "protocol/show/triage.h"
#include <jansson.h>

/* Entries: the documents of the problems with "trace" and "model". triage may be NULL. */
json_t *corpus_table_verify(const json_t *entries, const struct triage *triage);
json_t *corpus_table_validate(const json_t *entries);

#endif
