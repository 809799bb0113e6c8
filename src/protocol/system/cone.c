/* Cones of influence. See cone.h for the closure and why it is exact. */
#include "protocol/system/cone.h"
#include "base/check.h"
#include "base/data/alloc.h"

struct closure {
    const struct system *system;
    struct member_set set;     /* bits, then machines, then events */
    struct member_set letters; /* those whose conflicts were added */
    uint32_t *signs;           /* per bit: 1 permitted, 2 prohibited by something that may fire */
    u32_vec work;              /* members of set whose consequences are to be drawn */
};

static void add_member(struct closure *c, uint32_t member)
{
    assert(member < c->system->bit_count + c->system->machines.count);
    if (member_set_add(&c->set, member))
        tac_vec_push(&c->work, member);
}

static void add_machine(struct closure *c, uint32_t machine)
{
    assert(machine < c->system->machines.count);
    if (c->system->machines.at[machine].automaton.states > 1)
        add_member(c, machine_member(c->system, machine));
}

/* Can the machine fire on a letter of this class, in some state? */
static bool may_fire(const struct automaton *a, uint32_t class)
{
    for (uint32_t s = 0; s < a->states; s++)
        if (a->fires[s * a->classes + class])
            return true;
    return false;
}

static bool may_move(const struct automaton *a, uint32_t class)
{
    for (uint32_t s = 0; s < a->states; s++)
        if (a->next[s * a->classes + class] != s)
            return true;
    return false;
}

static void note_signs(struct closure *c, uint32_t machine, bool clear)
{
    const struct machine *m = &c->system->machines.at[machine];
    for (uint32_t i = 0; i < m->effect_count; i++) {
        const struct effect *e = &c->system->effects.at[m->first_effect + i];
        if (clear)
            c->signs[e->bit] = 0;
        else
            c->signs[e->bit] |= e->permits ? 1 : 2;
    }
}

static bool has_conflict(const struct closure *c, uint32_t machine)
{
    const struct machine *m = &c->system->machines.at[machine];
    for (uint32_t i = 0; i < m->effect_count; i++)
        if (c->signs[c->system->effects.at[m->first_effect + i].bit] == 3)
            return true;
    return false;
}

void cone_readers(const struct system *s, uint32_t letter, u32_vec *machines, u32_vec *classes)
{
    machines->count = classes->count = 0;
    bool other = letter == OTHER_BACK || letter == OTHER_IN;
    for (uint32_t i = 0; !other && i < s->letters[letter].use_count; i++) {
        const struct machine_use *use = &s->uses.at[s->letters[letter].first_use + i];
        tac_vec_push(machines, use->machine);
        tac_vec_push(classes, use->class);
    }
    for (size_t i = 0; i < s->restless.count; i++) {
        uint32_t m = s->restless.at[i];
        bool listed = false;
        for (size_t k = 0; k < machines->count && !listed; k++)
            listed = machines->at[k] == m;
        if (listed)
            continue;
        tac_vec_push(machines, m);
        tac_vec_push(classes, other ? 0 : machine_class(&s->machines.at[m], letter));
    }
}

/* Adds the machines with memory that can take part in a conflict when the letter is read. True when
 * a conflict is possible there. */
static bool add_conflicts(struct closure *c, uint32_t letter)
{
    u32_vec machines = {0}, classes = {0};
    bool found = false;
    cone_readers(c->system, letter, &machines, &classes);
    for (int pass = 0; pass < 3; pass++)
        for (size_t i = 0; i < machines.count; i++) {
            uint32_t m = machines.at[i];
            if (!may_fire(&c->system->machines.at[m].automaton, classes.at[i]))
                continue;
            if (pass != 1)
                note_signs(c, m, pass == 2);
            else if (has_conflict(c, m)) {
                add_machine(c, m);
                found = true;
            }
        }
    tac_vec_free(&machines);
    tac_vec_free(&classes);
    return found;
}

static void add_event(struct closure *c, uint32_t index)
{
    const struct system *s = c->system;
    assert(index < c->system->events.count);
    if (!member_set_add(&c->set, event_member(s, index)))
        return;
    const struct event *e = &s->events.at[index];
    bool other_seen = false;
    for (uint32_t i = 0; i < e->letter_count; i++) {
        uint32_t letter = s->event_letters.at[e->first_letter + i];
        bool other = letter == OTHER_BACK || letter == OTHER_IN;
        if (other ? other_seen : member_set_has(&c->letters, letter))
            continue;
        add_conflicts(c, letter);
        if (other) {
            other_seen = true;
            continue;
        }
        member_set_add(&c->letters, letter);
        uint32_t bit = s->letters[letter].bit;
        if (bit != TAC_NONE && s->prohibitable[bit])
            add_member(c, bit);
    }
}

static void add_events_of_letter(struct closure *c, uint32_t letter)
{
    const struct letter_info *info = &c->system->letters[letter];
    assert(letter < c->system->recording->letters.count);
    for (uint32_t i = 0; i < info->event_count; i++)
        add_event(c, c->system->letter_events.at[info->first_event + i]);
}

/* Events with a letter on which the machine does something: fire, or move. */
static void add_events_of_machine(struct closure *c, uint32_t machine, bool moves)
{
    const struct automaton *a = &c->system->machines.at[machine].automaton;
    uint8_t *matters = tac_calloc(a->classes, 1);
    assert(machine < c->system->machines.count);
    for (uint32_t k = 0; k < a->classes; k++)
        matters[k] = moves ? may_move(a, k) : may_fire(a, k);
    if (matters[0])
        for (uint32_t e = 0; e < c->system->events.count; e++)
            add_event(c, e);
    for (uint32_t i = 0; i < a->letter_count; i++)
        if (matters[a->letter_class[i]])
            add_events_of_letter(c, a->letters[i]);
    free(matters);
}

/* Every event in which some step may be inconsistent. */
static void add_conflicting_events(struct closure *c)
{
    const struct system *s = c->system;
    for (uint32_t e = 0; e < s->events.count; e++)
        for (uint32_t i = 0; i < s->events.at[e].letter_count; i++)
            if (add_conflicts(c, s->event_letters.at[s->events.at[e].first_letter + i])) {
                add_event(c, e);
                break;
            }
}

void cone_closure(const struct system *s, uint32_t target_bit, u32_vec *out)
{
    struct closure c = {.system = s, .signs = system_borrow(s)};
    member_set_open(s, &c.set);
    member_set_open(s, &c.letters);
    if (target_bit == TAC_NONE) {
        add_conflicting_events(&c);
    } else {
        assert(target_bit < s->bit_count);
        add_member(&c, target_bit);
        add_events_of_letter(&c, s->bit_letters.at[target_bit]);
    }
    while (c.work.count) {
        uint32_t member = tac_vec_pop(&c.work);
        assert(member < s->bit_count + s->machines.count);
        if (member >= s->bit_count) {
            add_events_of_machine(&c, member - s->bit_count, true);
            continue;
        }
        for (uint32_t i = s->bit_first[member]; i < s->bit_first[member + 1]; i++) {
            add_machine(&c, s->bit_machines.at[i]);
            add_events_of_machine(&c, s->bit_machines.at[i], false);
        }
    }
    member_set_sort(&c.set);
    out->count = 0;
    tac_vec_append(out, c.set.members.at, c.set.members.count);
    member_set_close(s, &c.set);
    member_set_close(s, &c.letters);
    system_return(s, c.signs); /* note_signs has cleared it */
    tac_vec_free(&c.work);
}
