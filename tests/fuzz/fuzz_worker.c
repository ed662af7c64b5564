/* A worker has read text that nobody vouches for: what it answers, and what compilers print, may be anything. */
#include "runtime/compile/compiler.h"
#include "runtime/protocol/protocol.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1), out[256], hash[65];
    if (!text) return 0;
    if (size) memcpy(text, data, size);
    text[size] = 0;
    struct rg_msg m;
    if (rg__msg_parse(text, size, &m, NULL) == RG_OK) {
        struct rg_buf b = RG_BUF_INIT;
        rg__msg_print(&b, &m);
        rg_buf_release(&b);
    }
    rg__msg_release(&m);
    struct rg_kernel_info k[2] = {{"k", "_Z1kv", {0}, 0}, {"m", "_Z1mv", {0}, 0}};
    rg__log_resources(text, k, 2);
    rg__log_first_error(text, out, sizeof out);
    rg__ptx_hash(text, size, hash);
    free(text);
    return 0;
}
