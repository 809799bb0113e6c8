/* A requirement as a pruning never claim (interaction-model paper, Listing 6).
 *
 * Claim and model take turns: the claim looks once at the start, which is step 0, and once after
 * every event. A block per constraint: the first branch is guarded by the invariants and the
 * constraint and leads on, the second by the invariants and its negation and stays; where neither
 * is possible the path is pruned. At the end of a path SPIN lets the claim look once more, so each
 * block waits for a step after the one that met the constraint before it. The last block prints the
 * witness and fails an assertion in one d_step: `guard -> assert(false)` would be two claim steps
 * with an event of the model between. */
#include "base/data/bits.h"
#include "base/data/quote.h"
#include "flow/export/promela.h"

/* "(first <= x && x < end) || ..." over the machines that count, or "true". */
static void add_ranges(struct promela *p, const char *variable, bool transitions)
{
    const tac_model *model = p->model;
    bool all = true;
    tac_str ranges = {0};
    for (uint32_t m = 0; m < model->machine_count; m++) {
        const tac_model_machine *machine = &model->machines[m];
        uint32_t app = model->activities[machine->activity].application;
        uint32_t first = transitions ? machine->first_transition : machine->first_node;
        uint32_t count = transitions ? machine->transition_count : machine->node_count;
        bool counts = p->watcher->application_watched[app] &&
                      p->watcher->device_watched[model->applications[app].device];
        all &= counts;
        if (counts && count)
            tac_str_addf(&ranges, "%s(%u <= (%s) && (%s) < %u)", ranges.length ? " || " : "", first,
                         variable, variable, first + count);
    }
    tac_str_add(&p->out, all ? "true" : ranges.length ? tac_str_text(&ranges) : "false");
    tac_str_free(&ranges);
}

static void write_atom(struct promela *p, const struct bound_atom *atom)
{
    const tac_model *model = p->model;
    bool first = true;
    tac_str_add(&p->out, atom->visit ? "(" : "!(");
    if (atom->kind == TAC_ATOM_STATE) {
        tac_str_addf(&p->out, "(s) == %s", p->node_names[atom->id]);
    } else if (atom->kind == TAC_ATOM_EVENT) {
        tac_str_add(&p->out, "(t) >= 0 && WATCHED_EVENT(t) && (false");
        for (uint32_t t = 0; t < model->transition_count; t++)
            if (model->transitions[t].event == atom->id)
                tac_str_addf(&p->out, " || (t) == %u", t);
        tac_str_add(&p->out, ")");
    } else {
        for (uint32_t m = 0; m < model->machine_count; m++) {
            const tac_model_machine *machine = &model->machines[m];
            if (!tac_bits_get(atom->machines, m))
                continue;
            tac_str_addf(&p->out, "%s(%u <= (s) && (s) < %u)", first ? "" : " || ",
                         machine->first_node, machine->first_node + machine->node_count);
            first = false;
        }
    }
    tac_str_add(&p->out, ")");
}

/* s: the settled state, t: the transition taken, -1 at the start. */
static void write_definitions(struct promela *p)
{
    const struct watcher *watcher = p->watcher;
    tac_str_add(&p->out, "#define WATCHED_EVENT(t) (");
    add_ranges(p, "t", true);
    tac_str_add(&p->out, ")\n#define WATCHED_STATE(s) (");
    add_ranges(p, "s", false);
    tac_str_add(&p->out, ")\n#define FORBIDDEN(s) (false");
    for (uint32_t n = 0; n < p->model->node_count; n++)
        if (tac_bits_get(watcher->forbidden, n) && p->model->nodes[n].kind != TAC_NODE_CONNECTION)
            tac_str_addf(&p->out, " || (s) == %s", p->node_names[n]);
    tac_str_add(&p->out, ")\n");
    for (size_t i = 0; i < watcher->constraint_count; i++) {
        tac_str_addf(&p->out,
                     "#define CONSTRAINT_%zu(s, t) "
                     "((((t) >= 0 && WATCHED_EVENT(t)) || WATCHED_STATE(s))",
                     i);
        for (size_t a = 0; a < watcher->constraints[i].count; a++) {
            tac_str_add(&p->out, " && ");
            write_atom(p, &watcher->constraints[i].atoms[a]);
        }
        tac_str_add(&p->out, ")\n");
    }
}

void promela_claim_variables(struct promela *p)
{
    write_definitions(p);
    for (size_t i = 0; i < p->watcher->limit_count; i++)
        tac_str_addf(&p->out, "int events_%zu; /* occurrences of a bounded event */\n", i);
    for (size_t i = 0; i < p->watcher->requirement->loop_count; i++)
        tac_str_addf(&p->out, "int loops_%zu;\n", i);
    if (p->watcher->constraint_count > 1)
        tac_str_add(&p->out, "int met_at = -1; /* the step that met the constraint before */\n");
    tac_str_add(&p->out, "int settled[LENGTH + 1]; /* states after each event */\n"
                         "int first_state[DEVICES];\n");
}

static void write_loop_update(struct promela *p, size_t i)
{
    tac_loop_kind kind = p->watcher->requirement->loops[i].kind;
    if (kind == TAC_LOOP_STATE) {
        tac_str_add(&p->out, "    if\n    :: WATCHED_STATE(last_state) && (false");
        for (uint32_t d = 0; d < p->model->device_count; d++)
            tac_str_addf(&p->out, " || last_state == first_state[%u]", d);
        tac_str_addf(&p->out,
                     ") -> loops_%zu++\n    :: else ->\n        k = steps - 1;\n"
                     "        do\n        :: k >= 0 && settled[k] != last_state -> k--\n"
                     "        :: else -> break\n        od;\n        if\n"
                     "        :: k >= 0 && WATCHED_STATE(last_state) -> loops_%zu++\n"
                     "        :: else -> skip\n        fi\n    fi;\n",
                     i, i);
        return;
    }
    tac_str_addf(&p->out,
                 "    k = steps - 1;\n    do\n    :: k >= 0 && %s -> k--\n"
                 "    :: else -> break\n    od;\n"
                 "    if\n    :: k >= 0 && WATCHED_EVENT(t) && history[k] == t -> loops_%zu++\n"
                 "    :: else -> skip\n    fi;\n",
                 kind == TAC_LOOP_CONSECUTIVE ? "!WATCHED_EVENT(history[k])" : "history[k] != t",
                 i);
}

void promela_claim_update(struct promela *p)
{
    const struct watcher *watcher = p->watcher;
    tac_str_add(&p->out, "    settled[steps] = last_state;\n");
    for (uint32_t e = 0; e < p->model->event_count; e++) {
        if (watcher->limit_of[e] == TAC_NONE)
            continue;
        tac_str_add(&p->out, "    if\n    :: WATCHED_EVENT(t) && (false");
        for (uint32_t t = 0; t < p->model->transition_count; t++)
            if (p->model->transitions[t].event == e)
                tac_str_addf(&p->out, " || (t) == %u", t);
        tac_str_addf(&p->out, ") -> events_%u++ /* ", watcher->limit_of[e]);
        tac_quote_comment(&p->out, p->model->events[e]);
        tac_str_add(&p->out, " */\n    :: else -> skip\n    fi;\n");
    }
    for (size_t i = 0; i < watcher->requirement->loop_count; i++)
        write_loop_update(p, i);
}

/* A macro over (s, t) applied to the step just taken, or to any device at the start. */
static void add_at_step(struct promela *p, const char *macro, const char *arguments)
{
    tac_str_addf(&p->out, "((steps > 0 && %s(last_state%s)) || (steps == 0 && (false", macro,
                 *arguments ? ", history[steps - 1]" : "");
    for (uint32_t d = 0; d < p->model->device_count; d++)
        tac_str_addf(&p->out, " || %s(devices[%u].state%s)", macro, d, arguments);
    tac_str_add(&p->out, ")))");
}

static void write_invariant(struct promela *p)
{
    const struct watcher *watcher = p->watcher;
    tac_str_add(&p->out, "#define INVARIANT (!");
    add_at_step(p, "FORBIDDEN", "");
    for (size_t i = 0; i < watcher->limit_count; i++)
        tac_str_addf(&p->out, " && events_%zu <= %u", i, watcher->limits[i]);
    for (size_t i = 0; i < watcher->requirement->loop_count; i++)
        if (watcher->requirement->loops[i].max != TAC_UNBOUNDED)
            tac_str_addf(&p->out, " && loops_%zu <= %u", i, watcher->requirement->loops[i].max);
    tac_str_add(&p->out, ")\n");
}

void promela_claim(struct promela *p)
{
    size_t count = p->watcher->constraint_count;
    write_invariant(p);
    for (size_t i = 0; i < count; i++) {
        char macro[32];
        snprintf(macro, sizeof macro, "CONSTRAINT_%zu", i);
        tac_str_addf(&p->out, "#define MET_%zu ", i);
        add_at_step(p, macro, ", -1");
        tac_str_add(&p->out, "\n");
    }
    tac_str_add(&p->out, "\nnever ");
    promela_identifier(&p->out, "claim_");
    promela_identifier(&p->out, p->watcher->requirement->name);
    tac_str_add(&p->out, " {\n");
    for (size_t i = 0; i < count || i == 0; i++) {
        bool last = i + 1 >= count;
        tac_str_addf(&p->out, "St%zu:\n    do\n", i);
        if (i == 0)
            tac_str_add(&p->out, "    :: !ready\n");
        const char *fresh = i ? "ready && met_at < steps" : "ready";
        tac_str_addf(&p->out, "    :: d_step { %s && INVARIANT", fresh);
        if (count)
            tac_str_addf(&p->out, " && MET_%zu", i);
        if (last)
            tac_str_add(&p->out, " -> printf(\"WITNESS:\"); show_history(); assert(false) };\n"
                                 "        goto done\n");
        else
            tac_str_addf(&p->out, " -> met_at = steps };\n        goto St%zu\n", i + 1);
        if (count)
            tac_str_addf(&p->out, "    :: %s && INVARIANT && !MET_%zu\n", fresh, i);
        tac_str_add(&p->out, "    od;\n");
    }
    tac_str_add(&p->out, "done:\n    false\n}\n");
}
