/* Where a crash is, in words that are the same in every browser, on every device and in every build
 * of the app: what its identity is made of, and what crashes are one by. See findings/identity.h.
 */
#include "findings/identity.h"
#include "mining/crash/crash.h"

/* A function that its engine calls by the file alone has no name. */
static bool is_named_by_file(const struct stack_frame *frame)
{
    const char *base = strrchr(frame->place, '/');
    base = base ? base + 1 : frame->place;
    size_t length = strlen(frame->name);
    return strncmp(base, frame->name, length) == 0 && strchr("?#:", base[length]);
}

bool crash_frame_constructs(const struct stack_frame *frame, const char *exception)
{
    return frame->place && *exception && strcmp(frame->name, exception) == 0;
}

char *crash_frame_place(const struct stack_frame *frame)
{
    tac_str out = {0};
    if (!frame->place) {
        tac_str_add(&out, frame->name);
        return tac_str_take(&out);
    }
    if (!is_named_by_file(frame))
        finding_function(&out, frame->name);
    tac_str_add(&out, out.length ? " (" : "(");
    finding_file(&out, frame->place);
    tac_str_add(&out, ")");
    return tac_str_take(&out);
}

/* Of a frame that is kept, or that was just read. */
static void add_frame(const struct stack_frame *frame, tac_str *out)
{
    char *own = frame->steady ? NULL : crash_frame_place(frame);
    tac_str_add(out, own ? own : frame->steady);
    free(own);
}

static void add_stack(const struct crash_reader *reader, const struct crash *crash, tac_str *out)
{
    for (uint32_t i = 0; i < crash->frame_count; i++)
        if (!crash_frame_is_framework(reader, &crash->frames[i])) {
            tac_str_add(out, out->length ? "\n" : "");
            add_frame(&crash->frames[i], out);
        }
}

char *crash_place(const struct crash_reader *reader, const struct crash *crash,
                  common_frame *common, void *context)
{
    uint32_t decides = crash_deciding_frame(reader, crash, common, context);
    tac_str out = {0};
    if (reader->by == TAC_CLUSTER_BY_MESSAGE)
        tac_str_add(&out, crash->message);
    else if (reader->by == TAC_CLUSTER_BY_STACK)
        add_stack(reader, crash, &out);
    if (out.length) {
        return tac_str_take(&out);
    } else if (*crash->place) {
        tac_str_add(&out, crash->place);
    } else if (decides != TAC_NONE) {
        add_frame(&crash->frames[decides], &out);
    } else {
        if (crash->frame_count)
            add_frame(&crash->frames[0], &out);
        tac_str_addf(&out, " (%s)", *crash->subject ? crash->subject : crash->process);
    }
    return tac_str_take(&out);
}
