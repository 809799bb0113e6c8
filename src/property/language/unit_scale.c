/* Units seen from outside: what a drawing or a report needs to put measured values and bounds on
 * one axis. */
#include "property/language/ast.h"
#include <string.h>

const char *tac_property_unit(const tac_properties *properties, const char *variable)
{
    const struct unit_statement *said = property_unit_of(properties, variable);
    return said ? said->text : "";
}

bool tac_unit_scale(const char *from, const char *to, double *factor)
{
    struct unit source, target;
    const char *bad;
    size_t bad_length;
    if (!unit_parse(from, strlen(from), &source, &bad, &bad_length) ||
        !unit_parse(to, strlen(to), &target, &bad, &bad_length) ||
        !unit_same_dimension(&source, &target))
        return false;
    *factor = unit_convert(1, &source, &target);
    return true;
}
