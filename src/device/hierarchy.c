/* The hierarchy of a screen as a tree in an array, and its XML form, that of `uiautomator dump`.
 * Nodes stand in document order; adding is O(1) because the last child of each node is kept. */
#include "device/hierarchy.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/data/vec.h"
#include "base/io/xml.h"

enum { UI_MAX_NODES = 200000, UI_MAX_SIZE = 64 << 20 };

struct tac_ui_storage {
    tac_arena arena;
    TAC_VEC(tac_ui_node) nodes;
    TAC_VEC(uint32_t) last_child; /* of each node; children are appended after it */
    uint32_t last_root, root_count;
    TAC_VEC(uint32_t) child_count;
};

tac_ui *tac_ui_new(uint32_t rotation)
{
    tac_ui *ui = tac_calloc(1, sizeof *ui);
    ui->storage = tac_calloc(1, sizeof *ui->storage);
    ui->storage->last_root = TAC_UI_NONE;
    ui->rotation = rotation;
    return ui;
}

void ui_clear(tac_ui *ui, uint32_t rotation)
{
    tac_arena_free(&ui->storage->arena);
    ui->storage->nodes.count = ui->storage->last_child.count = ui->storage->child_count.count = 0;
    ui->storage->last_root = TAC_UI_NONE;
    ui->storage->root_count = 0;
    ui->count = 0;
    ui->rotation = rotation;
}

tac_arena *ui_arena(tac_ui *ui)
{
    return &ui->storage->arena;
}

tac_ui_node *ui_node(tac_ui *ui, uint32_t node)
{
    return &ui->storage->nodes.at[node];
}

uint32_t ui_add_borrowed(tac_ui *ui, uint32_t parent, const tac_ui_node *node)
{
    struct tac_ui_storage *s = ui->storage;
    uint32_t number = ui->count;
    tac_ui_node copy = *node;
    copy.parent = parent;
    copy.first_child = copy.next_sibling = TAC_UI_NONE;
    uint32_t previous = parent == TAC_UI_NONE ? s->last_root : s->last_child.at[parent];
    copy.index = parent == TAC_UI_NONE ? s->root_count++ : s->child_count.at[parent]++;
    tac_vec_push(&s->nodes, copy);
    tac_vec_push(&s->last_child, TAC_UI_NONE);
    tac_vec_push(&s->child_count, 0);
    if (previous != TAC_UI_NONE)
        s->nodes.at[previous].next_sibling = number;
    else if (parent != TAC_UI_NONE)
        s->nodes.at[parent].first_child = number;
    if (parent == TAC_UI_NONE)
        s->last_root = number;
    else
        s->last_child.at[parent] = number;
    ui->nodes = s->nodes.at;
    ui->count++;
    return number;
}

static const char *keep(tac_ui *ui, const char *text)
{
    return text && *text ? tac_arena_strdup(&ui->storage->arena, text) : "";
}

uint32_t tac_ui_add(tac_ui *ui, uint32_t parent, const tac_ui_node *node)
{
    tac_ui_node copy = *node;
    copy.text = keep(ui, node->text);
    copy.resource_id = keep(ui, node->resource_id);
    copy.class_name = keep(ui, node->class_name);
    copy.package = keep(ui, node->package);
    copy.description = keep(ui, node->description);
    copy.role = keep(ui, node->role);
    copy.name = keep(ui, node->name);
    copy.test_id = keep(ui, node->test_id);
    if (tac_ui_class_is_editable(copy.class_name))
        copy.flags |= TAC_UI_EDITABLE;
    return ui_add_borrowed(ui, parent, &copy);
}

void tac_ui_free(tac_ui *ui)
{
    if (!ui)
        return;
    tac_arena_free(&ui->storage->arena);
    tac_vec_free(&ui->storage->nodes);
    tac_vec_free(&ui->storage->last_child);
    tac_vec_free(&ui->storage->child_count);
    free(ui->storage);
    free(ui);
}

/* EditText and the classes of Android and its libraries that inherit from it. */
bool tac_ui_class_is_editable(const char *class_name)
{
    static const char *const names[] = {"EditText", "AutoCompleteTextView", "TextInputEditText",
                                        "ExtractEditText"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (tac_ends_with(class_name, names[i]))
            return true;
    return false;
}

unsigned tac_ui_gestures(const tac_ui_node *node)
{
    unsigned bits = 0;
    if (!(node->flags & TAC_UI_ENABLED))
        return 0;
    if (node->flags & (TAC_UI_CLICKABLE | TAC_UI_CHECKABLE))
        bits |= 1u << TAC_ACTION_CLICK;
    if (node->flags & TAC_UI_LONG_CLICKABLE)
        bits |= 1u << TAC_ACTION_LONG_CLICK;
    if (node->flags & TAC_UI_EDITABLE)
        bits |= 1u << TAC_ACTION_TEXT;
    if (node->flags & TAC_UI_SCROLLABLE)
        bits |= 1u << TAC_ACTION_SCROLL | 1u << TAC_ACTION_SWIPE;
    if (node->flags & TAC_UI_DOUBLE_CLICKABLE)
        bits |= 1u << TAC_ACTION_DOUBLE_CLICK;
    if (node->flags & TAC_UI_HOVERABLE)
        bits |= 1u << TAC_ACTION_HOVER;
    if (node->flags & TAC_UI_DRAGGABLE)
        bits |= 1u << TAC_ACTION_DRAG;
    return bits;
}

static const struct {
    const char *name;
    uint32_t flag;
} flag_names[] = {{"checkable", TAC_UI_CHECKABLE},
                  {"checked", TAC_UI_CHECKED},
                  {"clickable", TAC_UI_CLICKABLE},
                  {"enabled", TAC_UI_ENABLED},
                  {"focusable", TAC_UI_FOCUSABLE},
                  {"focused", TAC_UI_FOCUSED},
                  {"scrollable", TAC_UI_SCROLLABLE},
                  {"long-clickable", TAC_UI_LONG_CLICKABLE},
                  {"password", TAC_UI_PASSWORD},
                  {"selected", TAC_UI_SELECTED},
                  {"double-clickable", TAC_UI_DOUBLE_CLICKABLE},
                  {"hoverable", TAC_UI_HOVERABLE},
                  {"draggable", TAC_UI_DRAGGABLE},
                  {"leaves", TAC_UI_LEAVES},
                  {"leads", TAC_UI_LEADS},
                  {"chosen", TAC_UI_CHOSEN}};
enum { ALWAYS_WRITTEN = 10, FLAG_COUNT = sizeof flag_names / sizeof *flag_names };

static void write_attribute(tac_str *out, const char *name, const char *value)
{
    tac_str_addf(out, " %s=\"", name);
    tac_xml_escape(out, value);
    tac_str_add_char(out, '"');
}

/* The start tag without its end. */
static void write_tag(tac_str *out, const tac_ui_node *n)
{
    tac_str_addf(out, "<node index=\"%u\"", n->index);
    write_attribute(out, "text", n->text);
    write_attribute(out, "resource-id", n->resource_id);
    write_attribute(out, "class", n->class_name);
    write_attribute(out, "package", n->package);
    write_attribute(out, "content-desc", n->description);
    for (tac_part part = TAC_PART_TEST_ID; part <= TAC_PART_NAME; part++)
        if (ui_part(n, part))
            write_attribute(out, tac_part_name(part), ui_part(n, part));
    for (size_t i = 0; i < FLAG_COUNT; i++)
        if (i < ALWAYS_WRITTEN || n->flags & flag_names[i].flag)
            tac_str_addf(out, " %s=\"%s\"", flag_names[i].name,
                         n->flags & flag_names[i].flag ? "true" : "false");
    tac_str_addf(out, " bounds=\"[%d,%d][%d,%d]\"", n->left, n->top, n->right, n->bottom);
}

/* Without recursion: a tree may be deep. */
static void write_nodes(tac_str *out, const tac_ui *ui)
{
    for (uint32_t at = 0; at != TAC_UI_NONE;) {
        const tac_ui_node *n = &ui->nodes[at];
        write_tag(out, n);
        if (n->first_child != TAC_UI_NONE) {
            tac_str_add_char(out, '>');
            at = n->first_child;
            continue;
        }
        tac_str_add(out, " />");
        while (n->next_sibling == TAC_UI_NONE && n->parent != TAC_UI_NONE) {
            n = &ui->nodes[n->parent];
            tac_str_add(out, "</node>");
        }
        at = n->next_sibling;
    }
}

char *tac_ui_to_xml(const tac_ui *ui)
{
    tac_str out = {0};
    tac_str_add(&out, "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>");
    tac_str_addf(&out, "<hierarchy rotation=\"%u\">", ui->rotation);
    if (ui->count)
        write_nodes(&out, ui);
    tac_str_add(&out, "</hierarchy>");
    return tac_str_take(&out);
}

static const char *attribute(const xmlNode *element, const char *name)
{
    for (const xmlAttr *a = element->properties; a; a = a->next)
        if (!strcmp((const char *)a->name, name))
            return a->children && a->children->content ? (const char *)a->children->content : "";
    return "";
}

static bool read_bounds(const xmlNode *element, int32_t b[4])
{
    return sscanf(attribute(element, "bounds"), "[%d,%d][%d,%d]", &b[0], &b[1], &b[2], &b[3]) == 4;
}

/* A dump names every element "node" and keeps the class in an attribute; Appium names the elements
 * by their class. */
static bool is_node(const xmlNode *at)
{
    return at->type == XML_ELEMENT_NODE &&
           (!strcmp((const char *)at->name, "node") || strchr((const char *)at->name, '.') ||
            *attribute(at, "class"));
}

/* What nobody sees is not on the screen: what says so, with all inside it, and leaves of a dump
 * that have no area. (In Appium's source those are counted by the XPaths that find elements.) */
static bool is_shown(const xmlNode *at)
{
    int32_t b[4];
    if (!strcmp(attribute(at, "displayed"), "false") ||
        !strcmp(attribute(at, "visible-to-user"), "false"))
        return false;
    return strcmp((const char *)at->name, "node") != 0 || xmlFirstElementChild((xmlNode *)at) ||
           !read_bounds(at, b) || (b[2] > b[0] && b[3] > b[1]);
}

static const char *class_of(const xmlNode *element)
{
    const char *class_name = attribute(element, "class");
    return *class_name || !strcmp((const char *)element->name, "node")
               ? class_name
               : (const char *)element->name;
}

static void read_node(tac_ui *ui, uint32_t parent, const xmlNode *element, uint32_t *out)
{
    tac_ui_node node = {.text = attribute(element, "text"),
                        .resource_id = attribute(element, "resource-id"),
                        .class_name = class_of(element),
                        .package = attribute(element, "package"),
                        .description = attribute(element, "content-desc"),
                        .role = attribute(element, "role"),
                        .name = *attribute(element, "role") ? attribute(element, "name") : "",
                        .test_id = attribute(element, "data-testid")};
    for (size_t i = 0; i < FLAG_COUNT; i++)
        if (!strcmp(attribute(element, flag_names[i].name), "true"))
            node.flags |= flag_names[i].flag;
    int32_t b[4] = {0};
    if (read_bounds(element, b)) {
        node.left = b[0];
        node.top = b[1];
        node.right = b[2];
        node.bottom = b[3];
    }
    *out = tac_ui_add(ui, parent, &node);
}

/* Walks the elements without recursion; depth is capped by the XML reader. */
static tac_status read_tree(tac_ui *ui, const char *name, const xmlNode *root, tac_error *err)
{
    const xmlNode *at = root->children;
    uint32_t parent = TAC_UI_NONE;
    while (at) {
        bool node = is_node(at) && is_shown(at);
        uint32_t number = TAC_UI_NONE;
        if (node) {
            if (ui->count >= UI_MAX_NODES)
                return tac_fail_at(err, TAC_E_LIMIT, name, (size_t)xmlGetLineNo((xmlNode *)at), 0,
                                   "the hierarchy has more than %d nodes", UI_MAX_NODES);
            read_node(ui, parent, at, &number);
        }
        if (node && at->children) {
            parent = number;
            at = at->children;
            continue;
        }
        while (!at->next && at->parent != root) {
            at = at->parent;
            parent = ui->nodes[parent].parent;
        }
        at = at->next;
    }
    return TAC_OK;
}

/* As it is, or else mended; an error is that of the text as it is. */
static tac_status parse(const char *name, const char *text, size_t size, xmlDocPtr *out,
                        tac_error *err)
{
    const tac_xml_limits limits = {.max_size = UI_MAX_SIZE, .max_depth = UI_MAX_DEPTH};
    tac_error again;
    tac_status st = tac_xml_parse(name, text, size, &limits, out, err);
    if (st != TAC_E_INPUT || size > UI_MAX_SIZE)
        return st;
    size_t length;
    char *mended = ui_mend_xml(text, size, &length);
    bool changed = length != size || memcmp(mended, text, size) != 0;
    if (changed && tac_xml_parse(name, mended, length, &limits, out, &again) == TAC_OK)
        st = TAC_OK;
    free(mended);
    return st;
}

tac_status tac_ui_from_xml(const char *name, const char *text, size_t size, tac_ui **out,
                           tac_error *err)
{
    xmlDocPtr doc = NULL;
    tac_status st = parse(name, text, size, &doc, err);
    if (st)
        return st;
    const xmlNode *root = xmlDocGetRootElement(doc);
    tac_ui *ui = NULL;
    if (!root || strcmp((const char *)root->name, "hierarchy") != 0) {
        st = tac_fail_at(err, TAC_E_INPUT, name, 1, 0,
                         "this is not a UI hierarchy: the root element must be <hierarchy>");
    } else {
        ui = tac_ui_new((uint32_t)strtoul(attribute(root, "rotation"), NULL, 10) & 3u);
        st = read_tree(ui, name, root, err);
    }
    xmlFreeDoc(doc);
    if (st)
        tac_ui_free(ui);
    else
        *out = ui;
    return st;
}
