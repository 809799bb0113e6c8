/* What the tests of rule sets share. */
#ifndef RULES_HELPERS_H
#define RULES_HELPERS_H

#include "rules_reference.h"
#include "tactus_test.h"

/* A rule set of the project; fails the test when it cannot be read. */
__attribute__((unused)) static tac_rules *load_rules(const char *name)
{
    tac_diagnostics diagnostics = {0};
    tac_error err = {0};
    tac_rules *rules = NULL;
    if (tac_rules_load(test_source(name), &diagnostics, &rules, &err))
        test_fail(__FILE__, __LINE__, "%s: %s", name, err.message);
    tac_diagnostics_free(&diagnostics);
    return rules;
}

#endif
