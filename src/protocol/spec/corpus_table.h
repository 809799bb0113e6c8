/* The paper's tables from the entries of a corpus run. */
#ifndef TAC_PROTOCOL_CORPUS_TABLE_H
#define TAC_PROTOCOL_CORPUS_TABLE_H

#include <jansson.h>

/* [{"method", "sensitive", "models": {MODEL: {"verified", "percent"}}}], the last row "total". */
json_t *corpus_table_verify(const json_t *entries);
/* [{"model", "at_least", "traces", "no_errors", "refused": {RULE: traces}}] */
json_t *corpus_table_validate(const json_t *entries);

#endif
