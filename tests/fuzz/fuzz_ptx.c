/* Any bytes as PTX: parsed, lowered and, where that works, one small launch. clang -fsanitize=fuzzer,address,undefined;
 * the corpus is tests/runtime/kernels. */
#include "runtime/device.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct rg_device d;
    if (!d.self && rg_device_open_sim("h200", &d, NULL)) abort();
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = 0;
    char name[128] = "k";
    const char *p = strstr(text, ".entry "), *names[1] = {name};
    if (p && strcspn(p + 7, "( \n\t{") < sizeof name) {
        memcpy(name, p + 7, strcspn(p + 7, "( \n\t{"));
        name[strcspn(p + 7, "( \n\t{")] = 0;
    }
    struct rg_blob blob = {.ptx = text, .ptx_len = size, .n_kernels = 1, .lowered = names};
    struct rg_module *m = NULL;
    struct rg_fault fault;
    if (d.load(d.self, &blob, &m, &fault, NULL) == RG_OK) {
        d.budget(d.self, 2e5);
        static const uint64_t zero[8];
        for (int n = 0; n <= 4; n++) { /* the number and sizes of its parameters are not known: some guess may fit */
            const void *args[4] = {zero, zero, zero, zero};
            for (int sizes = 0; sizes < 1 << n; sizes++) {
                size_t bytes[4];
                for (int i = 0; i < n; i++) bytes[i] = sizes >> i & 1 ? 4 : 8;
                struct rg_launch l = {
                    .module = m, .grid = {2, 1, 1}, .block = {40, 1, 1}, .n_args = n, .args = args, .arg_bytes = bytes};
                if (d.launch(d.self, &l, &fault, NULL) == RG_OK) goto done;
            }
        }
    done:
        d.unload(d.self, m);
    }
    free(text);
    return 0;
}
