/* An update that is no atomic instruction, as a function: an exchange that is repeated until nobody came between. */
#include "poly/cuda/kir_cuda.h"
#include <stdio.h>
#include <string.h>

static bool taken(const struct rg_ctree *t, const char *name)
{
    for (int v = 0; v < t->n_vars; v++)
        if (!strcmp(t->vars[v].name, name)) return true;
    for (int a = 0; a < t->n_arrays; a++)
        if (!strcmp(t->arrays[a].name, name)) return true;
    for (int h = 0; h < t->n_helpers; h++)
        if (!strcmp(t->helpers[h].name, name)) return true;
    return false;
}

void rg__cuda_exchange_name(const struct rg_ctree *t, int bits, char name[RG__EXCHANGE_NAME])
{
    int n = snprintf(name, RG__EXCHANGE_NAME, "atomic_update%d", bits);
    for (; t && taken(t, name) && n + 1 < RG__EXCHANGE_NAME; name[++n] = 0) name[n] = '_';
}

void rg__cuda_exchange(const struct rg_ctree *t, int bits, struct rg_buf *out)
{
    const char *word = bits == 64 ? "unsigned long long" : "unsigned int";
    char name[RG__EXCHANGE_NAME];
    rg__cuda_exchange_name(t, bits, name);
    rg_buf_printf(
        out,
        "// An update that is no atomic instruction: repeated until nobody came between. KEEPS: it only ever\n"
        "// moves one way, so when it changes nothing now it never will.\n"
        "template <bool KEEPS, class T, class F> __device__ void %s(T *place, F update)\n{\n"
        "    union pun { %s bits; T value; };\n"
        "    pun seen, next;\n"
        "    seen.bits = *(volatile %s *)place;\n"
        "    for (;;) {\n"
        "        next.value = update(seen.value);\n"
        "        if (KEEPS && next.bits == seen.bits) return;\n"
        "        const %s was = atomicCAS((%s *)place, seen.bits, next.bits);\n"
        "        if (was == seen.bits) return;\n"
        "        seen.bits = was;\n    }\n}\n\n",
        name, word, word, word, word);
}
