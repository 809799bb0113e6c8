#include "reference.h"

static bool is_future(const struct ref_formula *f, int node)
{
    const struct ref_node *at = &f->node[node];
    if (at->op >= REF_ALWAYS)
        return true;
    if (at->op < REF_NOT)
        return false;
    bool two =
        at->op == REF_AND || at->op == REF_OR || at->op == REF_IMPLIES || at->op == REF_SINCE;
    return is_future(f, at->a) || (two && is_future(f, at->b));
}

static int64_t distance(const struct ref_trace *t, const struct ref_node *n, size_t from, size_t to)
{
    return n->steps ? (int64_t)to - (int64_t)from : t->time[to] - t->time[from];
}

static bool inside(const struct ref_node *n, int64_t d)
{
    if (!n->bounded)
        return true;
    bool above = n->low_strict ? d > n->low : d >= n->low;
    bool below = n->endless || (n->high_strict ? d < n->high : d <= n->high);
    return above && below;
}

/* The window has ended for good. */
static bool over(const struct ref_node *n, int64_t d)
{
    return n->bounded && !n->endless && (n->high_strict ? d >= n->high : d > n->high);
}

bool ref_state(const struct ref_trace *t, const struct ref_formula *f, int node, size_t i)
{
    const struct ref_node *n = &f->node[node];
    switch (n->op) {
    case REF_P:
        return t->p[i];
    case REF_Q:
        return t->q[i];
    case REF_R:
        return t->r[i];
    case REF_EVENT:
        return t->event[i] == n->value && (t->shown == REF_NONE || t->key[i] == t->shown);
    case REF_X:
        return t->tenths[i] < n->value;
    case REF_NOT:
        return !ref_state(t, f, n->a, i);
    case REF_AND:
        return ref_state(t, f, n->a, i) && ref_state(t, f, n->b, i);
    case REF_OR:
        return ref_state(t, f, n->a, i) || ref_state(t, f, n->b, i);
    case REF_IMPLIES:
        return !ref_state(t, f, n->a, i) || ref_state(t, f, n->b, i);
    case REF_PREVIOUSLY:
        return i > 0 && ref_state(t, f, n->a, i - 1);
    case REF_RISE:
        return ref_state(t, f, n->a, i) && !(i > 0 && ref_state(t, f, n->a, i - 1));
    case REF_FALL:
        return !ref_state(t, f, n->a, i) && i > 0 && ref_state(t, f, n->a, i - 1);
    case REF_ONCE:
        for (size_t j = 0; j <= i; j++)
            if (inside(n, distance(t, n, j, i)) && ref_state(t, f, n->a, j))
                return true;
        return false;
    case REF_HISTORICALLY:
        for (size_t j = 0; j <= i; j++)
            if (inside(n, distance(t, n, j, i)) && !ref_state(t, f, n->a, j))
                return false;
        return true;
    default: /* REF_SINCE: b at j, and a from then on */
        for (size_t j = i + 1; j-- > 0;) {
            if (inside(n, distance(t, n, j, i)) && ref_state(t, f, n->b, j))
                return true;
            if (!ref_state(t, f, n->a, j))
                return false;
        }
        return false;
    }
}

bool ref_ended(const struct ref_trace *t, size_t count, const struct ref_formula *f, int node,
               size_t i)
{
    const struct ref_node *n = &f->node[node];
    if (!is_future(f, node))
        return ref_state(t, f, node, i);
    switch (n->op) {
    case REF_NOT:
        return !ref_ended(t, count, f, n->a, i);
    case REF_AND:
        return ref_ended(t, count, f, n->a, i) && ref_ended(t, count, f, n->b, i);
    case REF_OR:
        return ref_ended(t, count, f, n->a, i) || ref_ended(t, count, f, n->b, i);
    case REF_IMPLIES:
        return !ref_ended(t, count, f, n->a, i) || ref_ended(t, count, f, n->b, i);
    case REF_NEXT:
        return i + 1 < count && inside(n, distance(t, n, i, i + 1)) &&
               ref_ended(t, count, f, n->a, i + 1);
    case REF_ALWAYS:
        for (size_t j = i; j < count; j++)
            if (inside(n, distance(t, n, i, j)) && !ref_ended(t, count, f, n->a, j))
                return false;
        return true;
    case REF_EVENTUALLY:
        for (size_t j = i; j < count; j++)
            if (inside(n, distance(t, n, i, j)) && ref_ended(t, count, f, n->a, j))
                return true;
        return false;
    default: /* REF_UNTIL */
        for (size_t j = i; j < count; j++) {
            if (inside(n, distance(t, n, i, j)) && ref_ended(t, count, f, n->b, j))
                return true;
            if (!ref_ended(t, count, f, n->a, j))
                return false;
        }
        return false;
    }
}

static int least(int a, int b)
{
    return a == 0 || b == 0 ? 0 : a == 1 && b == 1 ? 1 : -1;
}

static int most(int a, int b)
{
    return a == 1 || b == 1 ? 1 : a == 0 && b == 0 ? 0 : -1;
}

static int negate(int a)
{
    return a == -1 ? -1 : !a;
}

int ref_known(const struct ref_trace *t, size_t count, const struct ref_formula *f, int node,
              size_t i)
{
    const struct ref_node *n = &f->node[node];
    if (!is_future(f, node))
        return ref_state(t, f, node, i);
    int value;
    switch (n->op) {
    case REF_NOT:
        return negate(ref_known(t, count, f, n->a, i));
    case REF_AND:
        return least(ref_known(t, count, f, n->a, i), ref_known(t, count, f, n->b, i));
    case REF_OR:
        return most(ref_known(t, count, f, n->a, i), ref_known(t, count, f, n->b, i));
    case REF_IMPLIES:
        return most(negate(ref_known(t, count, f, n->a, i)), ref_known(t, count, f, n->b, i));
    case REF_NEXT:
        if (i + 1 >= count)
            return -1;
        return inside(n, distance(t, n, i, i + 1)) ? ref_known(t, count, f, n->a, i + 1) : 0;
    case REF_ALWAYS:
        value = over(n, distance(t, n, i, count - 1)) ? 1 : -1;
        for (size_t j = i; j < count; j++)
            if (inside(n, distance(t, n, i, j)))
                value = least(value, ref_known(t, count, f, n->a, j));
        return value;
    case REF_EVENTUALLY:
        value = over(n, distance(t, n, i, count - 1)) ? 0 : -1;
        for (size_t j = i; j < count; j++)
            if (inside(n, distance(t, n, i, j)))
                value = most(value, ref_known(t, count, f, n->a, j));
        return value;
    default: /* b somewhere in the window, and a up to there */
        value = over(n, distance(t, n, i, count - 1)) ? 0 : -1;
        for (size_t j = count; j-- > i;) {
            int here = inside(n, distance(t, n, i, j)) ? ref_known(t, count, f, n->b, j) : 0;
            /* from j on: b here, or a here and what comes after */
            if (!over(n, distance(t, n, i, j)))
                value = most(here, least(ref_known(t, count, f, n->a, j), value));
            else
                value = 0;
        }
        return value;
    }
}

/* Is some state after `from` known to satisfy q when the states up to `now` were seen? */
static bool shown(const struct ref_trace *t, const struct ref_formula *q, size_t from, size_t now)
{
    for (size_t j = from + 1; j <= now; j++)
        if (ref_known(t, now + 1, q, q->count - 1, j) == 1)
            return true;
    return false;
}

size_t ref_intervals(const struct ref_trace *t, size_t count, const struct ref_formula *p,
                     const struct ref_formula *q, struct ref_interval *out, bool *open)
{
    size_t found = 0;
    *open = false;
    bool ahead = q && is_future(q, q->count - 1);
    for (size_t k = 0; k < count; k++) {
        if (!ref_state(t, p, p->count - 1, k))
            continue;
        size_t l = k + 1;
        if (!q) {
            while (l < count && ref_state(t, p, p->count - 1, l))
                l++;
            *open = l == count;
            if (!*open)
                out[found++] = (struct ref_interval){k, l, true};
            k = l;
            continue;
        }
        while (l < count && !(ahead ? shown(t, q, k, l) : ref_state(t, q, q->count - 1, l)))
            l++;
        if (l == count) {
            *open = true;
            return found;
        }
        out[found++] = (struct ref_interval){k, l, false};
        k = l;
    }
    return found;
}

bool ref_figure(const struct ref_trace *t, struct ref_interval at, enum ref_figure figure,
                mpq_t out, bool *infinite)
{
    const int *x = t->tenths;
    size_t last = at.run ? at.to - 1 : at.to; /* the last state that belongs to it */
    int64_t nanoseconds = t->time[at.to] - t->time[at.from];
    mpq_t term, seconds;
    *infinite = false;
    mpq_set_si(out, 0, 1);
    if (figure == FIG_COUNT) {
        long count = 0;
        for (size_t i = at.from; i <= last; i++)
            count += t->r[i];
        mpq_set_si(out, count, 1);
        return true;
    }
    mpq_init(seconds);
    mpq_set_si(seconds, (long)nanoseconds, 1000000000);
    mpq_canonicalize(seconds);
    if (figure == FIG_DURATION) {
        mpq_set(out, seconds);
        mpq_clear(seconds);
        return true;
    }
    mpq_init(term);
    switch (figure) {
    case FIG_MIN:
    case FIG_MAX: {
        int best = x[at.from];
        for (size_t i = at.from; i <= last; i++) {
            if (figure == FIG_MIN ? x[i] < best : x[i] > best)
                best = x[i];
        }
        mpq_set_si(out, best, 10);
        break;
    }
    case FIG_AVG:
    case FIG_INTEGRAL:
        for (size_t i = at.from; i < at.to; i++) {
            mpq_set_si(term, (long)(t->time[i + 1] - t->time[i]), 1000000000);
            mpq_t level;
            mpq_init(level);
            mpq_set_si(level, x[i], 10);
            mpq_canonicalize(term);
            mpq_canonicalize(level);
            mpq_mul(term, term, level);
            mpq_add(out, out, term);
            mpq_clear(level);
        }
        if (figure == FIG_AVG && nanoseconds > 0)
            mpq_div(out, out, seconds);
        else if (figure == FIG_AVG)
            mpq_set_si(out, x[at.to], 10);
        break;
    default:
        mpq_set_si(out,
                   figure == FIG_FIRST  ? x[at.from]
                   : figure == FIG_LAST ? x[last]
                                        : x[at.to] - x[at.from],
                   10);
        mpq_canonicalize(out);
        if (figure == FIG_RATE && nanoseconds > 0)
            mpq_div(out, out, seconds);
        else if (figure == FIG_RATE && mpq_sgn(out))
            *infinite = true;
    }
    mpq_canonicalize(out);
    mpq_clear(term);
    mpq_clear(seconds);
    return true;
}

bool ref_related(int relation, struct ref_interval a, struct ref_interval b)
{
    switch (relation) {
    case 0:
        return b.from <= a.from && a.to <= b.to;
    case 1:
        return a.from <= b.to && b.from <= a.to;
    case 2:
        return a.to < b.from;
    case 3:
        return b.from < a.from && a.to < b.to;
    case 4: /* before */
        return a.to < b.from;
    case 5: /* after */
        return b.to < a.from;
    case 6: /* meets */
        return a.to == b.from && a.from < b.from && a.to < b.to;
    case 7: /* met by */
        return b.to == a.from && b.from < a.from && b.to < a.to;
    case 8: /* overlaps */
        return a.from < b.from && b.from < a.to && a.to < b.to;
    case 9: /* overlapped by */
        return b.from < a.from && a.from < b.to && b.to < a.to;
    case 10: /* starts */
        return a.from == b.from && a.to < b.to;
    case 11: /* started by */
        return a.from == b.from && a.to > b.to;
    case 12: /* during */
        return b.from < a.from && a.to < b.to;
    case 13: /* contains */
        return a.from < b.from && b.to < a.to;
    case 14: /* finishes */
        return a.to == b.to && a.from > b.from;
    case 15: /* finished by */
        return a.to == b.to && a.from < b.from;
    default: /* equals */
        return a.from == b.from && a.to == b.to;
    }
}
