/* Memory that the function allocates and returns, in the reference: what of it is set. The file's own malloc fills it
 * with a byte. What is full of that behind the call is not set: an element of 4 bytes or more, which hardly is so by
 * chance; of less, where a second call leaves another byte there, or many beside it are the same. */
#include "frontend/emit/emit.h"

void rg__shim_malloc(struct rg_buf *out)
{
    rg_buf_str(out, "__asm__(\".hidden malloc\\n\");\nextern void *aligned_alloc(unsigned long, unsigned long);\n"
                    "static int rg_marked;\nstatic unsigned char rg_mark = 0xa5;\n"
                    "void *malloc(unsigned long rg_n)\n{\n    rg_marked = 1;\n    void *rg_p = rg_n > 1UL << 62 ? "
                    "(void *)0 : aligned_alloc(16, (rg_n / 16 + 1) * 16);\n"
                    "    if (rg_p) __builtin_memset(rg_p, rg_mark, rg_n);\n    return rg_p;\n}\n");
}

/* May the function be called twice, with what the first call left? */
static bool repeats(const struct rg_problem *p)
{
    for (int i = 0; i < p->n_params; i++)
        if (p->params[i].role != RG_ROLE_IN && p->params[i].role != RG_ROLE_OUT &&
            p->params[i].origin != RG_ORIGIN_RETURNED)
            return false;
    return true;
}

void rg__shim_set(const struct rg_problem *p, int own, const char *bytes, const char *call, struct rg_buf *out)
{
    enum { SMALL = 4096 }; /* of which a second call costs nothing that could be measured */
    rg_buf_printf(out, "    const unsigned char *rg_e = (const unsigned char *)rg_returned, *rg_f = 0;\n");
    if (repeats(p))
        rg_buf_printf(out,
                      "    if (rg_marked && rg_e && rg_n > 0 && (long)%1$s < 4 && rg_n * (long)%1$s <= %2$d && "
                      "__builtin_memchr(rg_e, 0xa5, rg_n * %1$s)) {\n        rg_mark = 0x5a;\n        rg_f = (const "
                      "unsigned char *)%3$s;\n        rg_mark = 0xa5;\n    }\n",
                      bytes, SMALL, call);
    rg_buf_printf(
        out,
        "    for (long rg_k = 0, rg_m = 0; rg_e && rg_k < rg_n; rg_k = rg_m) {\n"
        "        for (long rg_b = 0; rg_m < rg_n && !rg_b; rg_m += !rg_b)\n"
        "            for (long rg_i = rg_m * (long)%1$s; rg_i < (rg_m + 1) * (long)%1$s && !rg_b; rg_i++)\n"
        "                rg_b = !rg_marked || rg_e[rg_i] != 0xa5 || (rg_f && rg_f[rg_i] != 0x5a);\n"
        "        if (rg_m > rg_k && ((long)%1$s >= 4 || rg_f || (rg_m - rg_k) * (long)%1$s >= 16)) continue;\n"
        "        if (rg_m == rg_k) rg_m++;\n"
        "        __builtin_memcpy((char *)rg_a[%2$d] + rg_k * (long)%1$s, rg_e + rg_k * (long)%1$s, "
        "(rg_m - rg_k) * %1$s);\n    }\n"
        "    __builtin_free((void *)rg_e);\n    __builtin_free((void *)rg_f);\n",
        bytes, own);
}
