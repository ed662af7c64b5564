/* What the shim says of the parameters and their types (shim.c), as tables that the runtime reads. */
#include "frontend/emit/emit.h"
#include <string.h>

enum { LONG_DOUBLE = 100 };

/* What stands for rg_complexf and rg_complexd in C. */
static const char *complex_in(const char *name, enum rg__shim_mode mode, bool wide)
{
    bool single = !strcmp(name, "rg_complexf");
    if (mode == RG__SHIM_ORACLE) return single || !wide ? "double _Complex" : "long double _Complex";
    return single ? "float _Complex" : "double _Complex";
}

/* The scalars' spellings are rewritten as the oracle rewrites the user's text. */
const char *rg__shim_type(const struct rg_param *q, enum rg__shim_mode mode, bool wide)
{
    if (q->elem == RG_STRUCT && !strncmp(q->c_elem, "rg_complex", 10)) return complex_in(q->c_elem, mode, wide);
    if (q->elem == RG_STRUCT) return q->c_elem;
    if (mode == RG__SHIM_ORACLE) {
        if (q->elem == RG_F32 || q->elem == RG_F16) return "double";
        if (q->elem == RG_F64) return wide ? "long double" : "double";
    }
    return rg_scalar_c(q->elem);
}

static int code_in(enum rg_scalar s, enum rg__shim_mode mode, bool wide)
{
    if (mode == RG__SHIM_ORACLE) {
        if (s == RG_F32 || s == RG_F16) return RG_F64;
        if (s == RG_F64) return wide ? LONG_DOUBLE : RG_F64;
    }
    return (int)s;
}

/* Where this build has the bytes of bit-fields, which have no offset in C: found when the library is loaded. */
static void find_bits(const struct rg_struct *s, int index, struct rg_buf *out)
{
    rg_buf_printf(out,
                  "__attribute__((constructor)) static void rg_shim_bits_%d(void)\n{\n"
                  "    union { %s of; unsigned char at[sizeof(%s)]; } rg_x;\n    long rg_k;\n",
                  index, s->c_name, s->c_name);
    for (int f = 0; f < s->n_fields; f++) {
        const char *path = s->fields[f].path;
        if (!s->fields[f].bits) continue;
        const int n = (int)(strrchr(path, ':') - path);
        rg_buf_printf(out,
                      "    __builtin_memset(&rg_x, 0, sizeof rg_x);\n    rg_x.of.%.*s = -1;\n"
                      "    for (rg_k = 0; !rg_x.at[rg_k]; rg_k++);\n    rg_shim_fields_%d[%d].offset = rg_k + %s;\n",
                      n, path, index, f, path + n + 1);
    }
    rg_buf_str(out, "}\n");
}

void rg__shim_tables(const struct rg_problem *p, enum rg__shim_mode mode, bool wide, struct rg_buf *out)
{
    rg_buf_str(out, "struct rg_shim_field { const char *path; int type; long offset; long count; };\n"
                    "struct rg_shim_param { const char *name; int kind; int type; long elem_bytes; int n_fields; "
                    "const struct rg_shim_field *fields; };\n");
    for (int s = 0; s < p->n_structs; s++) {
        bool needed = false; /* what stands inside others or in locals alone may have no name */
        for (int i = 0; i < p->n_params; i++)
            needed |= p->params[i].elem == RG_STRUCT && p->params[i].struct_index == s;
        if (!needed) continue;
        const bool bits = rg__has_bit_fields(&p->structs[s]);
        rg_buf_printf(out, "static %sstruct rg_shim_field rg_shim_fields_%d[] = {\n", bits ? "" : "const ", s);
        for (int f = 0; f < p->structs[s].n_fields; f++) {
            const struct rg_field *x = &p->structs[s].fields[f];
            if (!strncmp(p->structs[s].c_name, "rg_complex", 10)) {
                rg_buf_printf(out, "    {\"%s\", %d, %d * (long)sizeof(%s) / 2, 1},\n", x->path,
                              code_in(x->type, mode, wide), f, complex_in(p->structs[s].c_name, mode, wide));
                continue;
            }
            if (x->bits) {
                rg_buf_printf(out, "    {\"%s\", %d, 0, 1},\n", x->path, (int)x->type);
                continue;
            }
            rg_buf_printf(out, "    {\"%s\", %d, (long)__builtin_offsetof(%s, %s), %lld},\n", x->path,
                          code_in(x->type, mode, wide), p->structs[s].c_name, x->path, (long long)x->count);
        }
        rg_buf_str(out, "};\n");
        if (bits) find_bits(&p->structs[s], s, out);
    }
    rg_buf_str(out, "const struct rg_shim_param rg_shim_params[] = {\n");
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        rg_buf_printf(out, "    {\"%s\", %d, %d, (long)sizeof(%s), ", q->name, (int)q->kind,
                      code_in(q->elem, mode, wide), rg__shim_type(q, mode, wide));
        if (q->elem == RG_STRUCT)
            rg_buf_printf(out, "%d, rg_shim_fields_%d},\n", p->structs[q->struct_index].n_fields, q->struct_index);
        else
            rg_buf_str(out, "0, 0},\n");
    }
    rg_buf_printf(out, "    {0, 0, 0, 0, 0, 0}\n};\nconst int rg_shim_n_params = %d;\n", p->n_params);
}
