/* Which frames of a stack are the app's own. */
#ifndef TAC_FACTS_APP_H
#define TAC_FACTS_APP_H

#include "trace/log/java_stack.h"

/* The first frame with the prefix, from the root outwards; NULL: none. */
const char *java_app_frame(const struct java_stack *stack, const char *prefix);
/* The first frame that is neither a library's nor the system's, from the root outwards; NULL: none.
 */
const char *java_own_frame(const struct java_stack *stack);
/* "com.example." of a process or of the first frame that is not a library's; NULL: not known. */
const char *java_app_prefix(const struct java_stack *stack);

#endif
