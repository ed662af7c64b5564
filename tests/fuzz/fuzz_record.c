/* Records of model replies, price tables and prompt files come from other people: any bytes are one or a clear error.
 */
#include "llm/llm.h"
#include <rg/llm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(int holds)
{
    if (!holds) abort();
}

/* A file without a disk; its path. */
static const char *file(const uint8_t *data, size_t size)
{
    static int fd = -1;
    static char path[64];
    if (fd < 0) {
        fd = memfd_create("fuzz", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    expect(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
    return path;
}

static void replay(const char *path)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg__record *r = NULL;
    struct rg__answer a;
    if (rg__record_open(path, NULL, false, &r, &err) != RG_OK) {
        expect(!r && err.text[0]);
        return;
    }
    expect(rg__record_model(r) != NULL);
    static const char key[65] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    if (rg__record_find(r, key, &a)) rg__answer_release(&a);
    char text[300];
    struct rg__chat chat = {.model = "m", .temperature = -1};
    struct rg__message *m = rg__chat_message(&chat, "user");
    rg__message_part(m, "rules", rg_xstrdup("text"));
    struct rg__about about = {"tile.shared", "A", "parallelize", 0};
    rg__record_miss(r, &chat, key, &about, text, sizeof text);
    rg__chat_release(&chat);
    rg__record_close(r);
}

/* Going on with it: what is cut off at its end goes, what is whole stays. */
static void append(const char *path)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg__record *r = NULL;
    expect((rg__record_open(NULL, path, false, &r, &err) == RG_OK) == (r != NULL));
    rg__record_close(r);
}

static void prices(const char *path)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg__price p;
    if (rg__price_load(path, "gpt-x", false, &p, &err) != RG_OK)
        expect(err.text[0]);
    else if (p.known)
        expect(p.input >= 0 && p.output >= 0 && p.cached >= 0);
}

static void prompt(const uint8_t *data, size_t size)
{
    char *text = rg_xstrndup((const char *)data, size);
    const struct rg__var vars[] = {{"function", "f"}, {"step", ""}, {"hint", "{{step}}"}};
    struct rg_buf b = RG_BUF_INIT;
    rg__prompt_expand(&b, text, vars, 3);
    rg_buf_release(&b);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    replay(file(data, size));
    prices(file(data, size));
    append(file(data, size));
    prompt(data, size);
    return 0;
}
