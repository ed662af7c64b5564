/* Candidates' text: what it includes. Whatever the rest is, a plain line that names a path is not allowed. */
#include "runtime/compile/compiler.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct rg_compiler c = {.include_dir = "/usr/local/cuda/include"};
    static const char tail[] = "\n*/\n#include \"/etc/passwd\"\n";
    char message[300], *text = malloc(size + sizeof tail);
    memcpy(text, data, size);
    text[size] = 0;
    bool fine = rg__includes_allowed(&c, text, message, sizeof message);
    if (!fine && !strstr(message, "only headers of CUDA")) abort();
    if (!memchr(data, 0, size)) { /* the line behind it is seen, whatever comment or literal seems to be open */
        memcpy(text + size, tail, sizeof tail);
        if (rg__includes_allowed(&c, text, message, sizeof message)) abort();
    }
    free(text);
    return 0;
}
