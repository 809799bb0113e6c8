/* The text of a rule in the rule files' notation: for messages and reports. Long rules are cut. */
#include "base/data/text.h"
#include "base/check.h"
#include "protocol/spec/spec.h"
#include <string.h>

#define MAX_TEXT 2000

/* As a string of the rule files, which stays on its line. */
static void add_string(const char *text, tac_str *out)
{
    static const char special[] = "\"\\\n\t\r", letters[] = "\"\\ntr";
    tac_str_add_char(out, '"');
    for (; *text; text++) {
        const char *found = strchr(special, *text);
        if (found)
            tac_str_add_char(out, '\\');
        tac_str_add_char(out, found ? letters[found - special] : *text);
    }
    tac_str_add_char(out, '"');
}

/* A text that is a number has the same values as the number. */
static void add_constant(const char *text, tac_str *out)
{
    double number;
    if (!strcmp(text, "true") || !strcmp(text, "false"))
        tac_str_add(out, *text == 't' ? "TRUE" : "FALSE");
    else if (tac_parse_double(text, &number))
        tac_str_add(out, text);
    else
        add_string(text, out);
}

static void add_param(const struct spec_set *set, const struct spec_param *param, tac_str *out)
{
    switch (param->kind) {
    case PARAM_ANY:
        tac_str_add_char(out, '#');
        return;
    case PARAM_NULL:
        tac_str_add(out, "NULL");
        return;
    case PARAM_CONSTANT:
        add_constant(set->names.text[param->name], out);
        return;
    case PARAM_VARIABLE:
        tac_str_add(out, set->names.text[param->name]);
        return;
    }
}

static void add_atom(const struct spec_set *set, const struct spec_atom *atom, tac_str *out)
{
    if (atom->has_result) {
        add_param(set, &atom->result, out);
        tac_str_add(out, " = ");
    }
    tac_str_addf(out, "%s [", direction_text(atom->direction));
    add_param(set, &set->params.at[atom->first_param], out);
    tac_str_addf(out, "] %s %s(", set->names.text[atom->return_type],
                 set->names.text[atom->method]);
    const char *type = set->names.text[atom->types];
    for (uint32_t i = 1; i < atom->param_count; i++) {
        size_t n = strcspn(type, ",");
        if (i > 1)
            tac_str_add(out, ", ");
        add_param(set, &set->params.at[atom->first_param + i], out);
        tac_str_addf(out, " : %.*s", (int)n, type);
        type += n + (type[n] == ',');
    }
    tac_str_add_char(out, ')');
}

static void add_use(const struct spec_set *set, const struct spec_use *use, tac_str *out)
{
    tac_str_add(out, set->names.text[use->name]);
    tac_str_add_char(out, '(');
    for (uint32_t i = 0; i < use->param_count; i++) {
        if (i)
            tac_str_add(out, ", ");
        add_param(set, &set->params.at[use->first_param + i], out);
    }
    tac_str_add_char(out, ')');
}

static void add_node(const struct spec_set *set, uint32_t index, tac_str *out)
{
    const struct spec_node *node = &set->nodes.at[index];
    assert(index < set->nodes.count);
    if (out->length > MAX_TEXT)
        return;
    switch (node->kind) {
    case NODE_ATOM:
        add_atom(set, &set->atoms.at[node->left], out);
        return;
    case NODE_NAME:
        add_use(set, &set->uses.at[node->left], out);
        return;
    case NODE_TRUE:
    case NODE_FALSE:
        tac_str_add(out, node->kind == NODE_TRUE ? "TRUE" : "FALSE");
        return;
    case NODE_NOT:
        tac_str_add_char(out, '!');
        add_node(set, node->left, out);
        return;
    case NODE_STAR: {
        enum node_kind inner = set->nodes.at[node->left].kind;
        bool bare = inner == NODE_TRUE || inner == NODE_FALSE;
        tac_str_add(out, bare ? "" : "(");
        add_node(set, node->left, out);
        tac_str_add(out, bare ? "[*]" : ")[*]");
        return;
    }
    case NODE_SEQ:
        add_node(set, node->left, out);
        tac_str_add(out, "; ");
        add_node(set, node->right, out);
        return;
    case NODE_AND:
    case NODE_OR:
        tac_str_add_char(out, '(');
        add_node(set, node->left, out);
        tac_str_add(out, node->kind == NODE_AND ? " & " : " | ");
        add_node(set, node->right, out);
        tac_str_add_char(out, ')');
        return;
    }
}

void spec_rule_text(const struct spec_set *set, const struct spec_rule *rule, tac_str *out)
{
    tac_str_add(out, "SPEC ");
    add_node(set, rule->body, out);
    tac_str_add(out, rule->permits ? " |+ " : " |- ");
    add_node(set, rule->target, out);
    if (out->length > MAX_TEXT)
        tac_str_add(out, " ...");
}
