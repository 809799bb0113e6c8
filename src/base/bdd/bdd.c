/* The narrow interface to BuDDy. See bdd.h for who owns what.
 *
 * The one mutable global of the library lives here, because BuDDy itself is global: the stack of
 * temporaries and the first error. Invariant: every entry of the stack holds one reference.
 *
 * BuDDy's traps, and what is done about them: its collector prints to standard output (hook off),
 * its error handler exits (hook records instead, and ends with exhausted memory), a failed
 * operation leaves wrong entries in the operator caches (recovery collects garbage, which clears
 * them), its table grows by 50,000 nodes at a time (the increase is raised). */
#include "base/bdd/bdd.h"
#include "base/check.h"
#include "base/data/vec.h"
#include <bdd.h>
#include <limits.h>

/* A node takes 20 bytes, and the six operator caches at CACHE_RATIO 18 more. */
#define BYTES_PER_NODE 40
#define CACHE_RATIO 8
#define DEFAULT_MAX_BYTES ((size_t)1 << 30)
#define DEFAULT_FIRST_NODES 10000

static struct {
    bool open;
    int error; /* BuDDy's code of the first failure; 0 = none */
    size_t max_nodes;
    TAC_VEC(int) temporaries;
} manager;

static void remember_error(int code)
{
    if (code == BDD_MEMORY)
        tac_out_of_memory(0); /* BuDDy's own state is not whole from here on */
    if (!manager.error)
        manager.error = code;
}

tac_status tac_bdd_start(const tac_bdd_limits *limits, tac_error *err)
{
    if (manager.open)
        return tac_fail(err, TAC_E_INTERNAL, "a decision-diagram manager is already open");
    size_t bytes = limits->max_bytes ? limits->max_bytes : DEFAULT_MAX_BYTES;
    size_t first = limits->first_nodes ? limits->first_nodes : DEFAULT_FIRST_NODES;
    size_t variables = limits->variables ? limits->variables : 1;
    size_t least = 4 * variables + 1000;
    if (first < least)
        first = least;
    manager.max_nodes = bytes / BYTES_PER_NODE;
    if (manager.max_nodes > INT_MAX / 2)
        manager.max_nodes = INT_MAX / 2;
    if (manager.max_nodes < least)
        return tac_fail(err, TAC_E_LIMIT,
                        "%zu variables need at least %zu decision-diagram nodes, and the memory "
                        "limit allows %zu: allow more memory",
                        variables, least, manager.max_nodes);
    if (first > manager.max_nodes)
        first = manager.max_nodes;
    manager.error = 0;
    bdd_error_hook(remember_error);
    if (bdd_init((int)first, (int)(first / 4 < 1000 ? 1000 : first / 4)) < 0)
        return tac_fail(err, TAC_E_LIMIT, "no memory for %zu decision-diagram nodes", first);
    manager.open = true;
    bdd_error_hook(remember_error);
    bdd_gbc_hook(NULL);
    bdd_resize_hook(NULL);
    bdd_setcacheratio(CACHE_RATIO);
    bdd_setmaxincrease(INT_MAX / 2);
    tac_bdd_budget(0);
    tac_bdd_more_variables(variables);
    tac_status status = tac_bdd_check("starting", err);
    if (status)
        tac_bdd_stop();
    return status;
}

void tac_bdd_stop(void)
{
    if (!manager.open)
        return;
    bdd_done();
    tac_vec_free(&manager.temporaries);
    manager.open = false;
    manager.error = 0;
}

void tac_bdd_more_variables(size_t variables)
{
    if ((size_t)bdd_varnum() < variables)
        bdd_setvarnum((int)variables);
}

size_t tac_bdd_variable_count(void)
{
    return (size_t)bdd_varnum();
}

bool tac_bdd_failed(void)
{
    return manager.error != 0;
}

tac_status tac_bdd_check(const char *what, tac_error *err)
{
    if (!manager.error)
        return TAC_OK;
    if (manager.error == BDD_MEMORY || manager.error == BDD_NODENUM)
        return tac_fail(err, TAC_E_LIMIT,
                        "%s needs more than %d decision-diagram nodes: allow more memory", what,
                        bdd_getallocnum());
    return tac_fail(err, TAC_E_INTERNAL, "%s: decision diagrams: %s", what,
                    bdd_errstring(manager.error));
}

void tac_bdd_budget(size_t max_nodes)
{
    size_t present = (size_t)bdd_getallocnum();
    size_t wanted = max_nodes && max_nodes < manager.max_nodes ? max_nodes : manager.max_nodes;
    bdd_setmaxnodenum((int)(wanted > present ? wanted : present + 1));
}

bool tac_bdd_recover(void)
{
    if (!manager.error)
        return false;
    bdd_clear_error();
    manager.error = 0;
    bdd_gbc();
    return true;
}

void tac_bdd_statistics_now(tac_bdd_statistics *out)
{
    bddStat stat;
    bdd_stats(&stat);
    out->produced = (uint64_t)stat.produced;
    out->nodes_in_use = (size_t)(stat.nodenum - stat.freenodes);
    out->nodes_allocated = (size_t)stat.nodenum;
    out->collections = (size_t)stat.gbcnum;
}

/* --- Ownership -------------------------------------------------------------------------------- */

size_t tac_bdd_scope(void)
{
    return manager.temporaries.count;
}

void tac_bdd_leave(size_t scope)
{
    while (manager.temporaries.count > scope)
        bdd_delref(tac_vec_pop(&manager.temporaries));
}

tac_bdd tac_bdd_leave_with(size_t scope, tac_bdd result)
{
    if (result <= TAC_BDD_TRUE) {
        tac_bdd_leave(scope);
        return result;
    }
    bdd_addref(result);
    tac_bdd_leave(scope);
    tac_vec_push(&manager.temporaries, result);
    return result;
}

tac_bdd tac_bdd_keep(tac_bdd set)
{
    return set <= TAC_BDD_TRUE ? set : bdd_addref(set);
}

void tac_bdd_drop(tac_bdd set)
{
    if (set > TAC_BDD_TRUE)
        bdd_delref(set);
}

void tac_bdd_hold(tac_bdd *place, tac_bdd set)
{
    tac_bdd old = *place;
    *place = tac_bdd_keep(set);
    tac_bdd_drop(old);
}

tac_bdd *tac_bdd_places(size_t count)
{
    return tac_calloc(count + 1, sizeof(tac_bdd));
}

void tac_bdd_places_free(tac_bdd *places, size_t count)
{
    for (size_t i = 0; places && i < count; i++)
        tac_bdd_drop(places[i]);
    free(places);
}

/* Makes BuDDy's fresh, unreferenced result a temporary of the present scope. */
static tac_bdd temporary(BDD result)
{
    if (manager.error)
        return TAC_BDD_FALSE;
    if (result > TAC_BDD_TRUE) {
        bdd_addref(result);
        tac_vec_push(&manager.temporaries, result);
    }
    return result;
}

/* --- Functions -------------------------------------------------------------------------------- */

tac_bdd tac_bdd_var(uint32_t variable)
{
    return temporary(bdd_ithvar((int)variable));
}

tac_bdd tac_bdd_not_var(uint32_t variable)
{
    return temporary(bdd_nithvar((int)variable));
}

tac_bdd tac_bdd_not(tac_bdd a)
{
    return temporary(bdd_not(a));
}

tac_bdd tac_bdd_apply(uint8_t truth, tac_bdd a, tac_bdd b)
{
    static const int operators[16] = {[0x1] = bddop_nor, [0x2] = bddop_less,   [0x4] = bddop_diff,
                                      [0x6] = bddop_xor, [0x7] = bddop_nand,   [0x9] = bddop_biimp,
                                      [0xb] = bddop_imp, [0xd] = bddop_invimp, [0xe] = bddop_or};
    assert(truth == 0x8 || operators[truth & 15]); /* "and" is 0 */
    return temporary(bdd_apply(a, b, operators[truth & 15]));
}

tac_bdd tac_bdd_and(tac_bdd a, tac_bdd b)
{
    return temporary(bdd_apply(a, b, bddop_and));
}

tac_bdd tac_bdd_or(tac_bdd a, tac_bdd b)
{
    return temporary(bdd_apply(a, b, bddop_or));
}

tac_bdd tac_bdd_xor(tac_bdd a, tac_bdd b)
{
    return temporary(bdd_apply(a, b, bddop_xor));
}

tac_bdd tac_bdd_diff(tac_bdd a, tac_bdd b)
{
    return temporary(bdd_apply(a, b, bddop_diff));
}

tac_bdd tac_bdd_implies(tac_bdd a, tac_bdd b)
{
    return temporary(bdd_apply(a, b, bddop_imp));
}

tac_bdd tac_bdd_iff(tac_bdd a, tac_bdd b)
{
    return temporary(bdd_apply(a, b, bddop_biimp));
}

tac_bdd tac_bdd_ite(tac_bdd a, tac_bdd b, tac_bdd c)
{
    return temporary(bdd_ite(a, b, c));
}

bool tac_bdd_subset(tac_bdd a, tac_bdd b)
{
    return bdd_apply(a, b, bddop_diff) == TAC_BDD_FALSE;
}

bool tac_bdd_disjoint(tac_bdd a, tac_bdd b)
{
    return bdd_apply(a, b, bddop_and) == TAC_BDD_FALSE;
}

/* --- Sets of variables, cofactors, renaming --------------------------------------------------- */

tac_bdd tac_bdd_variables(const uint32_t *variables, size_t count)
{
    size_t scope = tac_bdd_scope();
    tac_bdd set = TAC_BDD_TRUE;
    for (size_t i = count; i-- > 0;)
        set = tac_bdd_leave_with(scope, tac_bdd_and(tac_bdd_var(variables[i]), set));
    return set;
}

tac_bdd tac_bdd_cube(const uint32_t *variables, const bool *values, size_t count)
{
    size_t scope = tac_bdd_scope();
    tac_bdd cube = TAC_BDD_TRUE;
    for (size_t i = count; i-- > 0;) {
        tac_bdd literal = values[i] ? tac_bdd_var(variables[i]) : tac_bdd_not_var(variables[i]);
        cube = tac_bdd_leave_with(scope, tac_bdd_and(literal, cube));
    }
    return cube;
}

tac_bdd tac_bdd_number(const uint32_t *variables, size_t width, uint64_t number)
{
    size_t scope = tac_bdd_scope();
    tac_bdd cube = TAC_BDD_TRUE;
    for (size_t i = width; i-- > 0; number >>= 1) {
        tac_bdd literal = number & 1 ? tac_bdd_var(variables[i]) : tac_bdd_not_var(variables[i]);
        cube = tac_bdd_leave_with(scope, tac_bdd_and(literal, cube));
    }
    return cube;
}

tac_bdd tac_bdd_exists(tac_bdd a, tac_bdd variables)
{
    return temporary(bdd_exist(a, variables));
}

tac_bdd tac_bdd_and_exists(tac_bdd a, tac_bdd b, tac_bdd variables)
{
    return temporary(bdd_appex(a, b, bddop_and, variables));
}

tac_bdd tac_bdd_restrict(tac_bdd a, tac_bdd cube)
{
    return temporary(bdd_restrict(a, cube));
}

tac_bdd_pairs *tac_bdd_pairs_new(const uint32_t *from, const uint32_t *to, size_t count)
{
    bddPair *pairs = bdd_newpair();
    for (size_t i = 0; pairs && i < count; i++)
        bdd_setpair(pairs, (int)from[i], (int)to[i]);
    return (tac_bdd_pairs *)pairs;
}

void tac_bdd_pairs_free(tac_bdd_pairs *pairs)
{
    if (pairs)
        bdd_freepair((bddPair *)pairs);
}

tac_bdd tac_bdd_rename(tac_bdd a, const tac_bdd_pairs *pairs)
{
    return temporary(bdd_replace(a, (bddPair *)pairs));
}

/* --- Looking inside --------------------------------------------------------------------------- */

uint32_t tac_bdd_top(tac_bdd a)
{
    return (uint32_t)bdd_var(a);
}

tac_bdd tac_bdd_low(tac_bdd a)
{
    return bdd_low(a);
}

tac_bdd tac_bdd_high(tac_bdd a)
{
    return bdd_high(a);
}

size_t tac_bdd_node_count(tac_bdd a)
{
    return (size_t)bdd_nodecount(a);
}

double tac_bdd_path_count(tac_bdd a)
{
    return bdd_pathcount(a);
}
