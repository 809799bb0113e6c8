/* Matching two models up to names.
 *
 * Partners are found from the starts on, breadth first. The transitions of two partner states are
 * matched event by event: first those whose targets are partners already, then those whose targets
 * have the same colour (the same future, see colour.h), then the same name, then in order; of
 * several that fit so, those first that have the same guard, update and channels.
 * The strong reasons are used up over both models before a weaker one is tried anywhere. Every pair
 * that is made is kept, so the result is always one to one; when the two models are equal up to
 * names and no state has two transitions of one event, it is the only such pairing and complete.
 * Linear in the size of the models where an event has few transitions per state. */
#include "model/compare/match.h"
#include "model/builder.h"
#include "model/compare/colour.h"

struct pair {
    uint32_t first, second;
};

struct matcher {
    const tac_model *first, *second;
    struct model_match *match;
    uint64_t *first_colours, *second_colours;
    uint32_t *second_event; /* the first model's event of the same name, or TAC_NONE */
    TAC_VEC(struct pair) open;
    TAC_VEC(uint32_t) ours, theirs; /* scratch: transitions of one event */
};

static bool pair_nodes(struct matcher *matcher, uint32_t a, uint32_t b)
{
    struct model_match *match = matcher->match;
    if (match->first_node[a] == b)
        return true;
    if (match->first_node[a] != TAC_MODEL_NONE || match->second_node[b] != TAC_MODEL_NONE ||
        matcher->first->nodes[a].kind != matcher->second->nodes[b].kind)
        return false;
    /* A pair of nodes must not put one machine into two. */
    uint32_t machine_a = matcher->first->nodes[a].machine;
    uint32_t machine_b = matcher->second->nodes[b].machine;
    if (match->first_machine[machine_a] != machine_b)
        return false;
    match->first_node[a] = b;
    match->second_node[b] = a;
    tac_vec_push(&matcher->open, (struct pair){a, b});
    return true;
}

static bool pair_machines(struct matcher *matcher, uint32_t a, uint32_t b)
{
    struct model_match *match = matcher->match;
    if (match->first_machine[a] != TAC_MODEL_NONE || match->second_machine[b] != TAC_MODEL_NONE)
        return match->first_machine[a] == b;
    match->first_machine[a] = b;
    match->second_machine[b] = a;
    pair_nodes(matcher, matcher->first->machines[a].initial, matcher->second->machines[b].initial);
    return true;
}

/* Why two things of one list may be paired; later reasons are weaker. */
enum reason { ALREADY_PARTNERS, SAME_COLOUR, SAME_NAME, IN_ORDER, REASONS };

static bool targets_agree(const struct matcher *matcher, uint32_t a, uint32_t b, enum reason reason)
{
    const struct model_match *match = matcher->match;
    if (match->first_node[a] == b)
        return true;
    bool free_pair = match->first_node[a] == TAC_MODEL_NONE &&
                     match->second_node[b] == TAC_MODEL_NONE &&
                     matcher->first->nodes[a].kind == matcher->second->nodes[b].kind;
    if (!free_pair || reason == ALREADY_PARTNERS)
        return false;
    if (reason == SAME_COLOUR)
        return matcher->first_colours[a] == matcher->second_colours[b];
    if (reason == SAME_NAME)
        return strcmp(matcher->first->nodes[a].name, matcher->second->nodes[b].name) == 0;
    return true;
}

static bool same_text(const char *const *ours, uint32_t a, const char *const *theirs, uint32_t b)
{
    return a == TAC_MODEL_NONE || b == TAC_MODEL_NONE ? a == b : strcmp(ours[a], theirs[b]) == 0;
}

static bool alike(const struct matcher *matcher, uint32_t a, uint32_t b)
{
    const tac_model *first = matcher->first, *second = matcher->second;
    const tac_model_transition *ours = &first->transitions[a], *theirs = &second->transitions[b];
    return same_text(first->notes, ours->guard, second->notes, theirs->guard) &&
           same_text(first->notes, ours->update, second->notes, theirs->update) &&
           same_text(first->channels, ours->sends, second->channels, theirs->sends) &&
           same_text(first->channels, ours->receives, second->channels, theirs->receives);
}

static void pair_transitions(struct matcher *matcher, uint32_t a, uint32_t b, enum reason reason)
{
    struct model_match *match = matcher->match;
    uint32_t our_target = matcher->first->transitions[a].to;
    uint32_t their_target = matcher->second->transitions[b].to;
    if (match->first_transition[a] != TAC_MODEL_NONE ||
        match->second_transition[b] != TAC_MODEL_NONE ||
        !targets_agree(matcher, our_target, their_target, reason) ||
        !pair_nodes(matcher, our_target, their_target))
        return;
    match->first_transition[a] = b;
    match->second_transition[b] = a;
}

static void match_event(struct matcher *matcher, enum reason weakest)
{
    enum { MANY = 1000 };
    bool many = matcher->ours.count > MANY && matcher->theirs.count > MANY;
    for (int step = 0; step < 2 * ((int)weakest + 1); step++) /* alike or not, per reason */
        for (size_t i = 0; i < matcher->ours.count; i++) {
            uint32_t a = matcher->ours.at[i];
            size_t from = many ? i : 0, to = many ? i + 1 : matcher->theirs.count;
            for (size_t k = from; k < to && k < matcher->theirs.count; k++)
                if (step % 2 || alike(matcher, a, matcher->theirs.at[k]))
                    pair_transitions(matcher, a, matcher->theirs.at[k], (enum reason)(step / 2));
        }
}

struct labelled {
    uint32_t event, transition;
};

static int compare_labelled(const void *left, const void *right)
{
    const struct labelled *a = left, *b = right;
    if (a->event != b->event)
        return a->event < b->event ? -1 : 1;
    return a->transition < b->transition ? -1 : a->transition > b->transition;
}

/* The transitions of a node sorted by event; `events` translates event ids, or NULL. */
static struct labelled *sorted_transitions(const tac_model *model, const tac_model_node *node,
                                           const uint32_t *events)
{
    struct labelled *list = tac_calloc((size_t)node->out_count + 1, sizeof *list);
    for (uint32_t i = 0; i < node->out_count; i++) {
        uint32_t event = model->transitions[node->first_out + i].event;
        list[i] = (struct labelled){events ? events[event] : event, node->first_out + i};
    }
    qsort(list, node->out_count, sizeof *list, compare_labelled);
    return list;
}

static void match_states(struct matcher *matcher, struct pair pair, enum reason weakest)
{
    const tac_model_node *a = &matcher->first->nodes[pair.first];
    const tac_model_node *b = &matcher->second->nodes[pair.second];
    struct labelled *ours = sorted_transitions(matcher->first, a, NULL);
    struct labelled *theirs = sorted_transitions(matcher->second, b, matcher->second_event);
    uint32_t i = 0, k = 0;
    while (i < a->out_count && k < b->out_count && theirs[k].event != TAC_NONE) {
        if (ours[i].event != theirs[k].event) {
            if (ours[i].event < theirs[k].event)
                i++;
            else
                k++;
            continue;
        }
        uint32_t event = ours[i].event;
        matcher->ours.count = matcher->theirs.count = 0;
        for (; i < a->out_count && ours[i].event == event; i++)
            tac_vec_push(&matcher->ours, ours[i].transition);
        for (; k < b->out_count && theirs[k].event == event; k++)
            tac_vec_push(&matcher->theirs, theirs[k].transition);
        match_event(matcher, weakest);
    }
    free(ours);
    free(theirs);
}

/* The same name, in an activity and an application of the same names. */
static bool same_path(const struct matcher *matcher, uint32_t a, uint32_t b)
{
    const tac_model_machine *ours = &matcher->first->machines[a];
    const tac_model_machine *theirs = &matcher->second->machines[b];
    const tac_model_activity *our_activity = &matcher->first->activities[ours->activity];
    const tac_model_activity *their_activity = &matcher->second->activities[theirs->activity];
    return strcmp(ours->name, theirs->name) == 0 &&
           strcmp(our_activity->name, their_activity->name) == 0 &&
           strcmp(matcher->first->applications[our_activity->application].name,
                  matcher->second->applications[their_activity->application].name) == 0;
}

static bool machines_agree(const struct matcher *matcher, uint32_t a, uint32_t b,
                           enum reason reason)
{
    if (matcher->match->first_machine[a] != TAC_MODEL_NONE ||
        matcher->match->second_machine[b] != TAC_MODEL_NONE)
        return false;
    const tac_model_machine *ours = &matcher->first->machines[a];
    const tac_model_machine *theirs = &matcher->second->machines[b];
    bool same_colour =
        matcher->first_colours[ours->initial] == matcher->second_colours[theirs->initial];
    if (reason == ALREADY_PARTNERS) /* for machines: nothing speaks against it */
        return same_colour && same_path(matcher, a, b);
    if (reason == SAME_COLOUR)
        return same_colour;
    if (reason == SAME_NAME)
        return same_path(matcher, a, b);
    return reason == IN_ORDER;
}

/* Long lists: by name through a table, the rest in order. */
static void match_long_lists(struct matcher *matcher, const uint32_t *ours, size_t our_count,
                             const uint32_t *theirs, size_t their_count, enum reason weakest)
{
    tac_names names = {0};
    TAC_VEC(uint32_t) of = {0};
    for (size_t k = 0; k < their_count; k++)
        if (tac_names_intern(&names, matcher->second->machines[theirs[k]].name) == of.count)
            tac_vec_push(&of, theirs[k]);
    for (size_t i = 0; i < our_count; i++) {
        uint32_t id = tac_names_find(&names, matcher->first->machines[ours[i]].name);
        if (id != TAC_NONE && machines_agree(matcher, ours[i], of.at[id], SAME_NAME))
            pair_machines(matcher, ours[i], of.at[id]);
    }
    tac_names_free(&names);
    tac_vec_free(&of);
    size_t k = 0;
    for (size_t i = 0; i < our_count && weakest == IN_ORDER; i++) {
        if (matcher->match->first_machine[ours[i]] != TAC_MODEL_NONE)
            continue;
        while (k < their_count && matcher->match->second_machine[theirs[k]] != TAC_MODEL_NONE)
            k++;
        if (k == their_count)
            break;
        pair_machines(matcher, ours[i], theirs[k]);
    }
}

static void match_machine_lists(struct matcher *matcher, const uint32_t *ours, size_t our_count,
                                const uint32_t *theirs, size_t their_count, enum reason weakest)
{
    enum { LONG = 200 };
    if (our_count > LONG && their_count > LONG) {
        match_long_lists(matcher, ours, our_count, theirs, their_count, weakest);
        return;
    }
    for (int reason = ALREADY_PARTNERS; reason <= (int)weakest; reason++)
        for (size_t i = 0; i < our_count; i++) {
            size_t k = 0;
            while (k < their_count &&
                   !machines_agree(matcher, ours[i], theirs[k], (enum reason)reason))
                k++;
            if (k < their_count)
                pair_machines(matcher, ours[i], theirs[k]);
        }
}

typedef TAC_VEC(uint32_t) index_list;

static void external_machines(const tac_model *model, uint32_t activity, index_list *list)
{
    const tac_model_activity *of = &model->activities[activity];
    for (uint32_t m = of->first_machine; m < of->first_machine + of->machine_count; m++)
        if (model->machines[m].external)
            tac_vec_push(list, m);
}

static void match_calls(struct matcher *matcher, struct pair pair)
{
    const tac_model_call *a = &matcher->first->calls[matcher->first->nodes[pair.first].call];
    const tac_model_call *b = &matcher->second->calls[matcher->second->nodes[pair.second].call];
    if (a->enters != TAC_MODEL_NONE && b->enters != TAC_MODEL_NONE) {
        pair_nodes(matcher, a->enters, b->enters);
        return;
    }
    pair_nodes(matcher, a->returns, b->returns);
    if (a->machine != TAC_MODEL_NONE && b->machine != TAC_MODEL_NONE) {
        pair_machines(matcher, a->machine, b->machine);
    } else if (a->activity != TAC_MODEL_NONE && b->activity != TAC_MODEL_NONE) {
        index_list ours = {0}, theirs = {0};
        external_machines(matcher->first, a->activity, &ours);
        external_machines(matcher->second, b->activity, &theirs);
        match_machine_lists(matcher, ours.at, ours.count, theirs.at, theirs.count, IN_ORDER);
        tac_vec_free(&ours);
        tac_vec_free(&theirs);
    }
}

/* All pairs again for each weaker reason; the last round joins transitions whose targets became
 * partners after they were looked at. */
static void match_open(struct matcher *matcher)
{
    static const enum reason rounds[] = {SAME_COLOUR, SAME_NAME, IN_ORDER, ALREADY_PARTNERS};
    for (size_t round = 0; round < sizeof rounds / sizeof *rounds; round++)
        for (size_t next = 0; next < matcher->open.count; next++) {
            struct pair pair = matcher->open.at[next];
            if (matcher->first->nodes[pair.first].kind == TAC_NODE_STATE)
                match_states(matcher, pair, rounds[round]);
            else if (matcher->first->nodes[pair.first].kind == TAC_NODE_CONNECTION)
                match_calls(matcher, pair);
        }
}

static void device_starts(const tac_model *model, uint32_t device, index_list *list)
{
    for (uint32_t m = 0; m < model->machine_count; m++)
        if (tac_model_machine_is_start(model, m) &&
            model->applications[model->activities[model->machines[m].activity].application]
                    .device == device)
            tac_vec_push(list, m);
}

/* Devices by name, the others in order. */
static uint32_t partner_device(const struct matcher *matcher, uint32_t d)
{
    for (uint32_t e = 0; e < matcher->second->device_count; e++)
        if (strcmp(matcher->first->devices[d].name, matcher->second->devices[e].name) == 0)
            return e;
    return d < matcher->second->device_count ? d : TAC_NONE;
}

static void match_starts(struct matcher *matcher)
{
    for (uint32_t d = 0; d < matcher->first->device_count; d++) {
        uint32_t partner = partner_device(matcher, d);
        if (partner == TAC_NONE)
            continue;
        index_list ours = {0}, theirs = {0};
        device_starts(matcher->first, d, &ours);
        device_starts(matcher->second, partner, &theirs);
        match_machine_lists(matcher, ours.at, ours.count, theirs.at, theirs.count, IN_ORDER);
        tac_vec_free(&ours);
        tac_vec_free(&theirs);
    }
    match_open(matcher);
}

/* Nodes of two partner machines that are left over: by name, then by colour. */
static void match_nodes_left(struct matcher *matcher, uint32_t a, uint32_t b)
{
    const tac_model_machine *ours = &matcher->first->machines[a];
    const tac_model_machine *theirs = &matcher->second->machines[b];
    const struct model_match *match = matcher->match;
    tac_names names = {0};
    tac_u64map by_colour = {0}; /* colour -> the last such node of theirs, + 1 */
    uint32_t *previous = tac_calloc((size_t)theirs->node_count + 1, sizeof *previous);
    for (uint32_t n = 0; n < theirs->node_count; n++)
        tac_names_intern(&names, matcher->second->nodes[theirs->first_node + n].name);
    for (uint32_t n = ours->first_node; n < ours->first_node + ours->node_count; n++) {
        uint32_t id = tac_names_find(&names, matcher->first->nodes[n].name);
        if (match->first_node[n] == TAC_MODEL_NONE && id != TAC_NONE)
            pair_nodes(matcher, n, theirs->first_node + id);
    }
    for (uint32_t n = theirs->node_count; n-- > 0;) {
        if (match->second_node[theirs->first_node + n] != TAC_MODEL_NONE)
            continue;
        uint64_t *last =
            tac_u64map_at(&by_colour, matcher->second_colours[theirs->first_node + n], 0, NULL);
        previous[n] = (uint32_t)*last;
        *last = n + 1;
    }
    for (uint32_t n = ours->first_node; n < ours->first_node + ours->node_count; n++) {
        uint64_t *last = match->first_node[n] != TAC_MODEL_NONE
                             ? NULL
                             : tac_u64map_find(&by_colour, matcher->first_colours[n]);
        if (!last || !*last)
            continue;
        uint32_t other = (uint32_t)*last - 1;
        *last = previous[other];
        pair_nodes(matcher, n, theirs->first_node + other);
    }
    free(previous);
    tac_names_free(&names);
    tac_u64map_free(&by_colour);
}

/* What no flow reaches has no place in the behaviour: colours and names are all there is. */
static void match_rest(struct matcher *matcher)
{
    index_list ours = {0}, theirs = {0};
    for (uint32_t m = 0; m < matcher->first->machine_count; m++)
        if (matcher->match->first_machine[m] == TAC_MODEL_NONE)
            tac_vec_push(&ours, m);
    for (uint32_t m = 0; m < matcher->second->machine_count; m++)
        if (matcher->match->second_machine[m] == TAC_MODEL_NONE)
            tac_vec_push(&theirs, m);
    match_machine_lists(matcher, ours.at, ours.count, theirs.at, theirs.count, SAME_NAME);
    tac_vec_free(&ours);
    tac_vec_free(&theirs);
    match_open(matcher);
    for (uint32_t m = 0; m < matcher->first->machine_count; m++)
        if (matcher->match->first_machine[m] != TAC_MODEL_NONE)
            match_nodes_left(matcher, m, matcher->match->first_machine[m]);
    match_open(matcher);
}

static uint32_t *unmatched(uint32_t count)
{
    uint32_t *list = tac_alloc(((size_t)count + 1) * sizeof *list);
    memset(list, 0xff, ((size_t)count + 1) * sizeof *list);
    return list;
}

static uint32_t *translate_events(const tac_model *first, const tac_model *second)
{
    tac_names names = {0};
    uint32_t *events = unmatched(second->event_count);
    for (uint32_t e = 0; e < first->event_count; e++)
        tac_names_intern(&names, first->events[e]);
    for (uint32_t e = 0; e < second->event_count; e++)
        events[e] = tac_names_find(&names, second->events[e]);
    tac_names_free(&names);
    return events;
}

void tac_model_match_shape(const tac_model *first, const tac_model *second,
                           struct model_match *match)
{
    *match = (struct model_match){.first_machine = unmatched(first->machine_count),
                                  .second_machine = unmatched(second->machine_count),
                                  .first_node = unmatched(first->node_count),
                                  .second_node = unmatched(second->node_count),
                                  .first_transition = unmatched(first->transition_count),
                                  .second_transition = unmatched(second->transition_count)};
    struct matcher matcher = {.first = first,
                              .second = second,
                              .match = match,
                              .first_colours = tac_model_colours(first),
                              .second_colours = tac_model_colours(second),
                              .second_event = translate_events(first, second)};
    match_starts(&matcher);
    match_rest(&matcher);
    free(matcher.first_colours);
    free(matcher.second_colours);
    free(matcher.second_event);
    tac_vec_free(&matcher.open);
    tac_vec_free(&matcher.ours);
    tac_vec_free(&matcher.theirs);
}

void tac_model_match_free(struct model_match *match)
{
    free(match->first_machine);
    free(match->second_machine);
    free(match->first_node);
    free(match->second_node);
    free(match->first_transition);
    free(match->second_transition);
}
