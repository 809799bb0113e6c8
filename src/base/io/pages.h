/* Memory for what another library wants much of and touches little of, such as a decoder's
 * dictionary: straight from the system, whose pages cost nothing until they are touched, and back
 * to it at once. The heap would keep its place, and be filled anew for every file. */
#pragma once

#include <stddef.h>

/* count * size bytes, zeroed; NULL where there are none. */
void *tac_pages_take(size_t count, size_t size);
void tac_pages_give(void *pages); /* NULL is fine */
