/* C text from any bytes as device code: it stays as many lines, and what it names of the library is there. */
#include "frontend/read/device_c.h"
#include <rg/file.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool own(void *arg, const char *name)
{
    return arg && name[0] == *(const char *)arg;
}

static int lines(const char *text)
{
    int n = 0;
    for (; *text; text++) n += *text == '\n';
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = rg_xstrndup((const char *)data, size);
    struct rg_buf out = RG_BUF_INIT, library = RG_BUF_INIT;
    rg__device_c(text, own, text, &out);
    rg__device_c("", own, NULL, &out);
    if (lines(out.data) > lines(text)) abort(); /* fewer where a pointer's type goes over a line's end */
    const char *texts[] = {out.data};
    rg__device_library(texts, 1, &library);
    if (strstr(out.data, "rg_malloc(") && (!library.len || !strstr(library.data, "rg_malloc(unsigned long"))) abort();
    rg_buf_release(&out);
    rg_buf_release(&library);
    free(text);
    return 0;
}
