/* The model as Promela, in the style of the interaction-model paper, Listing 4: a process per
 * device with one loop, a branch per transition, and an explicit back stack.
 *
 * A step is one d_step: the event and all the silent moves after it, so a step of the model is a
 * step of SPIN. The history of events is part of the state, as in the paper, so that SPIN's state
 * matching never folds two flows: every flow is one state, printed once. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/quote.h"
#include "flow/export.h"
#include "flow/export/promela.h"
#include "flow/space/space.h"
#include <ctype.h>
#include <errno.h>

void promela_identifier(tac_str *out, const char *text)
{
    for (; *text; text++)
        tac_str_add_char(out, isalnum((unsigned char)*text) ? *text : '_');
}

static void name_nodes(struct promela *p)
{
    const tac_model *model = p->model;
    tac_names known = {0};
    p->node_names = tac_calloc(model->node_count + 1, sizeof *p->node_names);
    for (uint32_t n = 0; n < model->node_count; n++) {
        tac_str name = {0};
        tac_str_add(&name, "State_");
        promela_identifier(&name, model->machines[model->nodes[n].machine].name);
        tac_str_add_char(&name, '_');
        promela_identifier(&name, model->nodes[n].name);
        if (tac_names_find(&known, tac_str_text(&name)) != TAC_NONE)
            tac_str_addf(&name, "_%u", n);
        tac_names_intern(&known, tac_str_text(&name));
        p->node_names[n] = tac_str_take(&name);
        assert(known.count == (size_t)n + 1); /* no two nodes share a name */
    }
    tac_names_free(&known);
}

static uint32_t device_of(const tac_model *model, uint32_t machine)
{
    assert(machine < model->machine_count);
    return model->applications[model->activities[model->machines[machine].activity].application]
        .device;
}

/* Inside a text that printf takes as its format. */
static void add_printed(tac_str *out, const char *text)
{
    char *copy = tac_strdup(text);
    for (char *c = copy; *c; c++)
        if (*c == '%')
            *c = '_';
    tac_quote_c(out, copy);
    free(copy);
}

static void write_head(struct promela *p)
{
    const tac_model *model = p->model;
    /* arrays of 8-bit values, aligned; room for the fixed part and the processes */
    uint64_t vector = 512 + (uint64_t)p->length * (8 + 4 * (uint64_t)model->device_count) * 2 +
                      64 * (uint64_t)model->device_count;
    tac_str_add(&p->out, "/* ");
    tac_quote_comment(&p->out, *model->name ? model->name : "model");
    tac_str_addf(&p->out,
                 ": app user flows of up to %u events, for SPIN 6.5.2.\n"
                 " *   spin -a FILE\n"
                 " *   cc -O2 -w -DSAFETY -DNOREDUCE -DPRINTF -DVECTORSZ=%llu -o pan pan.c\n"
                 " *   ./pan -e -c0 -n\n"
                 " * prints %s. */\n"
                 "#define LENGTH %u\n#define DEVICES %u\n\n",
                 p->length, (unsigned long long)vector,
                 p->watcher ? "\"WITNESS: event event ...\" for every shortest prefix that meets "
                              "the requirement"
                            : "\"FLOW kind: event event ...\" for every flow",
                 p->length, model->device_count);
    for (uint32_t n = 0; n < model->node_count; n++)
        if (model->nodes[n].kind != TAC_NODE_CONNECTION)
            tac_str_addf(&p->out, "#define %s %u\n", p->node_names[n], n);
    tac_str_add(&p->out, "#define IS_FINAL(s) (false");
    for (uint32_t n = 0; n < model->node_count; n++)
        if (model->nodes[n].kind == TAC_NODE_FINAL)
            tac_str_addf(&p->out, " || (s) == %s", p->node_names[n]);
    tac_str_add(&p->out, ")\n#define LEAVES(s) (false");
    for (uint32_t n = 0; n < model->node_count; n++)
        if (model->nodes[n].leaves)
            tac_str_addf(&p->out, " || (s) == %s", p->node_names[n]);
    tac_str_add(&p->out, ")\n\n");
}

static void write_variables(struct promela *p)
{
    tac_str_add(&p->out,
                "typedef Backstack {\n"
                "    int returns[LENGTH + 1];\n"
                "    bool autoReturn[LENGTH + 1];\n"
                "    int depth\n"
                "};\n"
                "typedef Device {\n"
                "    int state;\n"
                "    Backstack backstack\n"
                "};\n"
                "Device devices[DEVICES];\n"
                "bool ready;              /* every device stands on its first state */\n"
                "int steps;               /* events so far */\n"
                "int history[LENGTH + 1]; /* transitions taken */\n"
                "int branches[LENGTH + 1]; /* which machine a call to an activity entered */\n"
                "int last_state = -1, last_device;\n"
                "hidden int k;\n");
    for (uint32_t c = 0; c < p->model->channel_count; c++) {
        tac_str_addf(&p->out, "int waiting_%u; /* sent and not yet received: ", c);
        tac_quote_comment(&p->out, p->model->channels[c]);
        tac_str_add(&p->out, " */\n");
    }
    if (p->watcher)
        promela_claim_variables(p);
}

/* The silent moves: R5 in land, R2 and R3 in enter, R4 in reenter. */
static void write_moves(struct promela *p)
{
    tac_str_add(&p->out,
                "\n#define stack devices[d].backstack\n\n"
                "inline land(d, node) {\n"
                "    devices[d].state = node;\n"
                "    do\n"
                "    :: IS_FINAL(devices[d].state) && stack.depth > 0 &&\n"
                "       (LEAVES(devices[d].state) || stack.autoReturn[stack.depth - 1]) ->\n"
                "        stack.depth--;\n"
                "        devices[d].state = (LEAVES(devices[d].state) -> devices[d].state :\n"
                "                            stack.returns[stack.depth]);\n"
                "        stack.returns[stack.depth] = 0;\n"
                "        stack.autoReturn[stack.depth] = false\n"
                "    :: else -> break\n"
                "    od\n"
                "}\n\n"
                "inline enter(d, returnTo, automatic, first) {\n"
                "    stack.returns[stack.depth] = returnTo;\n"
                "    stack.autoReturn[stack.depth] = automatic;\n"
                "    stack.depth++;\n"
                "    land(d, first)\n"
                "}\n\n"
                "/* the machine's nodes are low .. high - 1 */\n"
                "inline reenter(d, returnTo, automatic, first, low, high) {\n"
                "    k = stack.depth - 1;\n"
                "    do\n"
                "    :: k >= 0 && (stack.returns[k] < low || stack.returns[k] >= high) -> k--\n"
                "    :: else -> break\n"
                "    od;\n"
                "    if\n"
                "    :: k < 0 -> enter(d, returnTo, automatic, first)\n"
                "    :: else ->\n"
                "        devices[d].state = stack.returns[k];\n"
                "        do\n"
                "        :: stack.depth > k ->\n"
                "            stack.depth--;\n"
                "            stack.returns[stack.depth] = 0;\n"
                "            stack.autoReturn[stack.depth] = false\n"
                "        :: else -> break\n"
                "        od;\n"
                "        land(d, devices[d].state)\n"
                "    fi\n"
                "}\n\n");
}

static void write_names(struct promela *p)
{
    const tac_model *model = p->model;
    tac_str_add(&p->out, "inline show_event(t) {\n    if\n");
    for (uint32_t t = 0; t < model->transition_count; t++) {
        uint32_t machine = model->nodes[model->transitions[t].from].machine;
        tac_str_addf(&p->out, "    :: (t) == %u -> printf(\" ", t);
        if (model->device_count > 1) {
            add_printed(&p->out, model->devices[device_of(model, machine)].name);
            tac_str_add_char(&p->out, ':');
        }
        add_printed(&p->out, model->events[model->transitions[t].event]);
        tac_str_add(&p->out, "\")\n");
    }
    tac_str_add(&p->out, "    :: else -> skip\n    fi\n}\n\n"
                         "inline show_history() {\n"
                         "    k = 0;\n"
                         "    do\n"
                         "    :: k < steps -> show_event(history[k]); k++\n"
                         "    :: else -> break\n"
                         "    od;\n"
                         "    printf(\"\\n\")\n"
                         "}\n\n");
}

static void write_transition(struct promela *p)
{
    tac_str_add(&p->out, "/* after the silent moves: what is remembered of the step */\n"
                         "inline transition(d, t, branch) {\n"
                         "    history[steps] = t;\n"
                         "    branches[steps] = branch;\n"
                         "    last_state = devices[d].state;\n"
                         "    last_device = d;\n");
    if (p->watcher)
        promela_claim_update(p);
    tac_str_add(&p->out, "    steps++\n}\n\n");
}

static void write_branch(struct promela *p, uint32_t device, uint32_t t, uint32_t machine,
                         uint32_t branch)
{
    const tac_model *model = p->model;
    const tac_model_transition *transition = &model->transitions[t];
    tac_str_addf(&p->out, "    :: d_step { ready && steps < LENGTH && devices[%u].state == %s",
                 device, p->node_names[transition->from]);
    if (transition->receives != TAC_MODEL_NONE)
        tac_str_addf(&p->out, " && waiting_%u > 0", transition->receives);
    tac_str_add(&p->out, " ->\n        ");
    if (transition->receives != TAC_MODEL_NONE)
        tac_str_addf(&p->out, "waiting_%u--; ", transition->receives);
    if (transition->sends != TAC_MODEL_NONE)
        tac_str_addf(&p->out, "waiting_%u++; ", transition->sends);
    if (machine == TAC_MODEL_NONE) {
        tac_str_addf(&p->out, "land(%u, %s)", device, p->node_names[transition->to]);
    } else if (model->calls[model->nodes[transition->to].call].enters != TAC_MODEL_NONE) {
        uint32_t enters = model->calls[model->nodes[transition->to].call].enters;
        tac_str_addf(&p->out, "land(%u, %s)", device, p->node_names[enters]);
    } else {
        const tac_model_call *call = &model->calls[model->nodes[transition->to].call];
        const tac_model_machine *called = &model->machines[machine];
        tac_str_addf(&p->out, "%s(%u, %s, %s, %s", call->reuse ? "reenter" : "enter", device,
                     p->node_names[call->returns], call->auto_return ? "true" : "false",
                     p->node_names[called->initial]);
        if (call->reuse)
            tac_str_addf(&p->out, ", %u, %u", called->first_node,
                         called->first_node + called->node_count);
        tac_str_add(&p->out, ")");
    }
    tac_str_addf(&p->out, ";\n        transition(%u, %u, %u) /* ", device, t, branch);
    tac_quote_comment(&p->out, model->events[transition->event]);
    tac_str_add(&p->out, " */ }\n");
}

static bool may_call(const tac_model *model, const tac_model_call *call, uint32_t machine)
{
    if (call->machine != TAC_MODEL_NONE)
        return call->machine == machine;
    return model->machines[machine].activity == call->activity && model->machines[machine].external;
}

/* All branches of one transition; returns how many there are. */
static uint32_t write_branches(struct promela *p, uint32_t device, uint32_t t)
{
    const tac_model *model = p->model;
    const tac_model_node *to = &model->nodes[model->transitions[t].to];
    uint32_t branch = 0;
    if (to->kind != TAC_NODE_CONNECTION) {
        write_branch(p, device, t, TAC_MODEL_NONE, 0);
        return 1;
    }
    for (uint32_t machine = 0; machine < model->machine_count; machine++)
        if (may_call(model, &model->calls[to->call], machine))
            write_branch(p, device, t, machine, branch++);
    return branch;
}

static void write_process(struct promela *p, uint32_t device)
{
    const tac_model *model = p->model;
    tac_str can_move = {0};
    tac_str_add(&p->out, "active proctype device_");
    promela_identifier(&p->out, *model->devices[device].serial ? model->devices[device].serial
                                                               : model->devices[device].name);
    tac_str_addf(&p->out, "_%u() {\nend_device:\n    do\n", device);
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const tac_model_transition *transition = &model->transitions[t];
        if (device_of(model, model->nodes[transition->from].machine) != device ||
            !write_branches(p, device, t))
            continue;
        tac_str_addf(&can_move, " || (devices[%u].state == %s", device,
                     p->node_names[transition->from]);
        if (transition->receives != TAC_MODEL_NONE)
            tac_str_addf(&can_move, " && waiting_%u > 0", transition->receives);
        tac_str_add(&can_move, ")");
    }
    tac_str_addf(&p->out,
                 "    :: false\n    od\n}\n#define CAN_MOVE_%u (false%s)\n"
                 "#define LEFT_%u (IS_FINAL(devices[%u].state) && "
                 "devices[%u].backstack.depth == 0)\n\n",
                 device, tac_str_text(&can_move), device, device, device);
    tac_str_free(&can_move);
}

static bool may_start(const tac_model *model, uint32_t machine, uint32_t device)
{
    const tac_model_activity *activity = &model->activities[model->machines[machine].activity];
    const tac_model_application *application = &model->applications[activity->application];
    return application->device == device && application->external && activity->external &&
           model->machines[machine].external;
}

/* One branch of the start per choice of a machine on every device. */
static void write_starts(struct promela *p, uint32_t device, const char *chosen)
{
    const tac_model *model = p->model;
    if (device == model->device_count) {
        tac_str_addf(&p->out, "    :: d_step { true ->%s ready = true }\n", chosen);
        return;
    }
    for (uint32_t machine = 0; machine < model->machine_count; machine++) {
        if (!may_start(model, machine, device))
            continue;
        char *more = tac_format("%s land(%u, %s);", chosen, device,
                                p->node_names[model->machines[machine].initial]);
        if (p->watcher) {
            char *noted =
                tac_format("%s first_state[%u] = devices[%u].state;", more, device, device);
            free(more);
            more = noted;
        }
        write_starts(p, device + 1, more);
        free(more);
    }
}

static void write_init(struct promela *p)
{
    const tac_model *model = p->model;
    tac_str_add(&p->out, "init {\n    if\n");
    write_starts(p, 0, "");
    tac_str_add(&p->out, "    fi;\nend_init:\n");
    if (p->watcher) {
        tac_str_add(&p->out, "    false\n}\n\n");
        return;
    }
    tac_str_add(&p->out, "    d_step { timeout ->\n        if\n        :: true");
    for (uint32_t d = 0; d < model->device_count; d++)
        tac_str_addf(&p->out, " && LEFT_%u", d);
    tac_str_add(&p->out, " -> printf(\"FLOW exit:\")\n        :: else ->\n            if\n"
                         "            :: false");
    for (uint32_t d = 0; d < model->device_count; d++)
        tac_str_addf(&p->out, " || CAN_MOVE_%u", d);
    tac_str_add(&p->out, " -> printf(\"FLOW truncated:\")\n"
                         "            :: else -> printf(\"FLOW stuck:\")\n            fi\n"
                         "        fi;\n        show_history() }\n}\n");
}

static void write_all(struct promela *p)
{
    name_nodes(p);
    write_head(p);
    write_variables(p);
    write_moves(p);
    write_names(p);
    write_transition(p);
    for (uint32_t d = 0; d < p->model->device_count; d++)
        write_process(p, d);
    write_init(p);
    if (p->watcher)
        promela_claim(p);
}

tac_status tac_promela_write(const tac_model *model, uint32_t length,
                             const tac_requirement *requirement, tac_diagnostics *diagnostics,
                             FILE *out, tac_error *err)
{
    struct promela p = {.model = model, .length = length};
    tac_status status = TAC_OK;
    if (scripted_needed(model)) /* Promela knows neither doubles nor texts */
        return tac_fail(err, TAC_E_INPUT, "guards and updates cannot be written as Promela");
    if (requirement)
        status = watcher_bind(requirement, model, diagnostics, &p.watcher, err);
    if (status != TAC_OK)
        return status;
    write_all(&p);
    if (p.out.overflow)
        status = tac_fail(err, TAC_E_LIMIT, "the model is too large for Promela");
    else if (fwrite(p.out.text, 1, p.out.length, out) != p.out.length)
        status = tac_fail_errno(err, errno, "", "cannot write Promela");
    for (uint32_t n = 0; n < model->node_count; n++)
        free(p.node_names[n]);
    free(p.node_names);
    tac_str_free(&p.out);
    watcher_free(p.watcher);
    return status;
}
