/* See verdict.h. */
#include "trace/log/verdict.h"
#include "base/io/json.h"
#include <stdio.h>
#include <string.h>

enum { STACK_MAX = 64, CHAIN_MAX = 16 };

/* Tags under which handlers of an app's own report what they caught. */
static const char *const handlers[] = {"ACRA", "CustomActivityOnCrash", "CrashHandler",
                                       "UncaughtException", "CrashReporter"};

static bool is(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && !memcmp(text, word, length);
}

void log_verdict_open(struct log_verdict *v)
{
    memset(v, 0, sizeof *v);
    v->stack.arena = &v->arena;
}

void log_verdict_close(struct log_verdict *v)
{
    java_stack_free(&v->stack);
    json_decref(v->chain);
    json_decref(v->message);
    tac_arena_free(&v->arena);
}

static bool is_handler(const char *tag, size_t length)
{
    for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++)
        if (is(tag, length, handlers[i]))
            return true;
    return false;
}

/* "Fatal signal 11 (SIGSEGV), ..." of libc; "signal 11 (SIGSEGV), ..." of debuggerd and of Unity,
 * which is all there is in a log of their tag; ">>> com.example <<<". */
static void take_native(struct log_verdict *v, const char *line, size_t length)
{
    const char *end = line + length, *at = memmem(line, length, "Fatal signal ", 13);
    if (!at && length > 7 && !memcmp(line, "signal ", 7) && memmem(line, length, "(SIG", 4))
        at = line;
    const char *open = at ? memchr(at, '(', (size_t)(end - at)) : NULL;
    const char *close = open ? memchr(open, ')', (size_t)(end - open)) : NULL;
    if (close && !v->native) {
        v->begun = v->native = v->done = true;
        snprintf(v->signal, sizeof v->signal, "%.*s", (int)(close - open - 1), open + 1);
    }
    const char *name = v->stack.process ? NULL : memmem(line, length, ">>> ", 4);
    const char *stop = name ? memmem(name, (size_t)(end - name), " <<<", 4) : NULL;
    if (stop && stop > name + 4)
        v->stack.process = tac_arena_strndup(&v->arena, name + 4, (size_t)(stop - name - 4));
}

/* "java.lang.X: text": the text behind the class of the root, so far. */
static void keep_message(struct log_verdict *v, const char *line, size_t length)
{
    const char *name = memmem(line, length, v->stack.root, strlen(v->stack.root));
    const char *text = name ? name + strlen(v->stack.root) : NULL;
    json_decref(v->message);
    v->message = NULL;
    if (text && text + 1 < line + length && *text == ':') {
        text += 1 + (text[1] == ' ');
        while (line + length > text && (line[length - 1] == '\r' || line[length - 1] == ' '))
            length--;
        v->message = tac_json_string_n(text, (size_t)(line + length - text));
    }
}

void log_verdict_take(struct log_verdict *v, const char *tag, size_t tag_length, uint32_t pid,
                      const char *line, size_t length)
{
    bool fatal =
        is(tag, tag_length, "AndroidRuntime") && memmem(line, length, "FATAL EXCEPTION", 15);
    bool native =
        is(tag, tag_length, "libc") || is(tag, tag_length, "DEBUG") || is(tag, tag_length, "CRASH");
    if (native && (!v->begun || v->native))
        take_native(v, line, length);
    if (v->done)
        return;
    if (!v->begun) {
        if (!fatal && !is_handler(tag, tag_length))
            return;
        v->pid = pid;
        v->begun = fatal || java_is_exception_line(line, length);
        if (!v->begun) { /* "ACRA caught a ... for com.example" */
            java_stack_add(&v->stack, line, length);
            return;
        }
        v->begun = true;
    } else if (fatal || pid != v->pid ||
               !(is(tag, tag_length, "AndroidRuntime") || is_handler(tag, tag_length))) {
        v->done = v->done || (fatal && v->stack.exception);
        return;
    }
    const char *root = v->stack.root;
    size_t causes = v->stack.causes;
    if (!java_stack_add(&v->stack, line, length) || !v->stack.root)
        return;
    if (v->stack.root != root || v->stack.causes != causes) {
        keep_message(v, line, length);
        if (!v->chain)
            v->chain = json_array();
        if (json_array_size(v->chain) < CHAIN_MAX)
            json_array_append_new(v->chain, tac_json_string(v->stack.root));
    }
}

void log_verdict_tell(struct log_verdict *v, json_t *meta)
{
    if (!v->begun || json_object_get(meta, "verdict"))
        return;
    json_object_set_new(meta, "verdict", tac_json_string("crash"));
    const char *app = v->stack.process ? v->stack.process : v->stack.package;
    if (app)
        json_object_set_new(meta, "app", tac_json_string(app));
    if (v->native) {
        json_object_set_new(meta, "exception", tac_json_string(v->signal));
        return;
    }
    if (!v->stack.exception)
        return;
    json_object_set_new(meta, "exception", tac_json_string(v->stack.root));
    if (v->message)
        json_object_set(meta, "message", v->message);
    if (json_array_size(v->chain) > 1)
        json_object_set(meta, "chain", v->chain);
    json_t *stack = json_array();
    for (size_t cause = v->stack.causes + 1; cause-- > 0;)
        for (size_t i = 0; i < v->stack.frames.count; i++)
            if (v->stack.frames.at[i].cause == cause && json_array_size(stack) < STACK_MAX)
                json_array_append_new(stack, tac_json_string(v->stack.frames.at[i].text));
    json_object_set_new(meta, "stack", stack);
}
