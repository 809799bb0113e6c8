/* What whoever reads a JSON document has to say of it, in one place for all kinds of documents. */
#include "base/data/alloc.h"
#include "trace/json/items.h"
#include <inttypes.h>

/* text is taken over. */
static void say(json_items_note *note, void *context, char *text)
{
    note(context, text);
    free(text);
}

static void say_count(json_items_note *note, void *context, uint64_t count, const char *one,
                      const char *many)
{
    if (count)
        say(note, context, tac_format("%" PRIu64 " %s", count, count == 1 ? one : many));
}

void json_items_tell(const struct json_items *items, json_items_note *note, void *context)
{
    if (items->cut && items->cut_between)
        say(note, context,
            tac_format("the array of events is not closed, at byte %" PRIu64
                       ", as its writers may leave it",
                       items->cut_at));
    else if (items->cut)
        say(note, context, tac_format("the document ends early, at byte %" PRIu64, items->cut_at));
    if (items->behind)
        say(note, context,
            tac_format("what stands behind the end of the document, from byte %" PRIu64
                       " on, was left out",
                       items->offset));
    say_count(note, context, items->damaged, "element is not JSON", "elements are not JSON");
    say_count(note, context, items->mended,
              "element has characters or numbers that JSON does not allow, replaced",
              "elements have characters or numbers that JSON does not allow, replaced");
    say_count(note, context, items->too_large,
              "member beside the elements is larger than 8 MiB and was left out",
              "members beside the elements are larger than 8 MiB and were left out");
}
