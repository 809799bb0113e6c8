/* The class that the virtual machine spins for a lambda is hidden and has another name in every
 * run. What it calls has a name that stays: the lambda's body, or the method that is referred to.
 * It is found in the class's own code. */
#include "jvm/agent/agent.h"
#include "jvm/classfile/code.h"

bool class_is_hidden(const char *name)
{
    return strstr(name, ".0x") || strstr(name, "+0x");
}

/* Constants without the class around them: as a class file that has nothing else. */
static bool read_constants(jclass class, struct class_file *out, unsigned char **bytes)
{
    jint count = 0, size = 0;
    *out = (struct class_file){0};
    if ((*agent.jvmti)->GetConstantPool(agent.jvmti, class, &count, &size, bytes))
        return false;
    return class_constants_read(*bytes, (size_t)size, (uint32_t)count, out);
}

/* The constant of the last call in the code, 0 = it makes none. */
static uint32_t last_call(const unsigned char *code, uint32_t length)
{
    enum { FIRST_INVOKE = 182, LAST_INVOKE = 185 };
    uint32_t constant = 0;
    for (uint32_t at = 0, size; at < length; at += size) {
        size = instruction_length(code, length, at);
        if (!size)
            return 0;
        if (code[at] >= FIRST_INVOKE && code[at] <= LAST_INVOKE)
            constant = get_u2(code + at + 1);
    }
    return constant;
}

char *lambda_body_name(jclass class, jmethodID method)
{
    jint length = 0;
    unsigned char *code = NULL, *constants = NULL;
    struct class_file file = {0};
    struct class_text owner, name, descriptor;
    struct text text = {0};
    bool known = !(*agent.jvmti)->GetBytecodes(agent.jvmti, method, &length, &code) &&
                 read_constants(class, &file, &constants);
    if (known &&
        class_member(&file, last_call(code, (uint32_t)length), &owner, &name, &descriptor)) {
        for (uint32_t i = 0; i < owner.length; i++)
            text_add(&text, owner.at[i] == '/' ? "." : owner.at + i, 1);
        text_add(&text, ".", 1);
        text_add(&text, name.at, name.length);
    }
    if (constants) {
        class_file_free(&file);
        (*agent.jvmti)->Deallocate(agent.jvmti, constants);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, code);
    return text.at;
}
