/* How long the code is that `#pragma unroll` repeats, in plain operations, and how often it may be: compilers need more
 * than linear time for long straight code, and seconds where there are some hundred divisions of doubles in it (each
 * one a branch of its own). */
#include "poly/kernel/kernel.h"
#include <ctype.h>
#include <string.h>

/* NVRTC 13 for sm_90: 128 double divisions take 0.4 s, 320 take 1.5 s, 640 6 s, 2048 20 s; 128 double sines or powers 2
 * s; as many divisions of floats a third of that. */
enum { PLAIN = 1, DIVISION = 8, DIVISION_DOUBLE = 24, CALL = 16, CALL_DOUBLE = 40, MOST = 4096 };

static const char *word_before(const char *text, const char *at, size_t *n)
{
    const char *to = at;
    while (to > text && to[-1] == ' ') to--;
    const char *from = to;
    while (from > text && (isalnum((unsigned char)from[-1]) || from[-1] == '_')) from--;
    *n = (size_t)(to - from);
    return from;
}

/* C that is no tree: helpers are inlined where they are called. Types are not known there: double. */
static int64_t text_weight(const char *text)
{
    static const char *const words[] = {"if", "for", "while", "switch", "return", "sizeof"};
    int64_t w = 0;
    for (const char *p = text; *p; p++) {
        size_t n;
        const char *name = *p == '(' ? word_before(text, p, &n) : NULL;
        if (name && n && !isdigit((unsigned char)*name)) {
            bool call = true;
            for (size_t i = 0; i < sizeof words / sizeof *words; i++)
                call = call && !(strlen(words[i]) == n && !strncmp(name, words[i], n));
            w += call ? CALL_DOUBLE : 0;
        } else if (*p == '/' || *p == '%') {
            w += DIVISION_DOUBLE;
        } else if (strchr("+-*<>=&|^?", *p)) {
            w += PLAIN;
        }
    }
    return w;
}

static bool costly_call(const char *name)
{
    static const char *const cheap[] = {"fma",    "fmaf",     "fabs",      "fabsf",     "fmin",     "fminf",
                                        "fmax",   "fmaxf",    "min",       "max",       "abs",      "floor",
                                        "floorf", "ceil",     "ceilf",     "trunc",     "truncf",   "rint",
                                        "rintf",  "copysign", "copysignf", "__fmul_rn", "__dmul_rn"};
    for (size_t i = 0; i < sizeof cheap / sizeof *cheap; i++)
        if (!strcmp(name, cheap[i])) return false;
    return true;
}

static int64_t weight(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (!e) return 0;
    int64_t w = 0;
    bool wide = e->type == RG_F64;
    switch (e->kind) {
    case RG_C_BINARY:
    case RG_C_ASSIGN:
        if (e->op == RG_COP_DIV || e->op == RG_COP_REM || e->op == RG_COP_DIV_SET ||
            e->op == RG_COP_REM_SET) /* by a constant that is an integer: a multiplication */
            w = e->n > 1 && e->kid[1] && e->kid[1]->kind == RG_C_INT && !rg_scalar_is_real(e->type) ? 3 * PLAIN
                : wide                                                                              ? DIVISION_DOUBLE
                                                                                                    : DIVISION;
        else
            w = PLAIN;
        break;
    case RG_C_CALL:
        w = e->callee >= 0          ? text_weight(t->helpers[e->callee].c_text)
            : !costly_call(e->text) ? PLAIN
            : wide                  ? CALL_DOUBLE
                                    : CALL;
        break;
    case RG_C_VERBATIM:
        return text_weight(e->text);
    case RG_C_UNARY:
    case RG_C_INCDEC:
    case RG_C_COND:
    case RG_C_INDEX:
    case RG_C_CAST:
        w = PLAIN;
        break;
    default:
        break;
    }
    for (int i = 0; i < e->n; i++) w += weight(t, e->kid[i]);
    return w;
}

int64_t rg__poly_weight(const struct poly_scop *s, const struct rg_cnode *e)
{
    return weight(s->tree, e);
}

struct sum {
    const struct poly_scop *s;
    bool in_loop;    /* an innermost loop's body is being added up */
    int64_t outside; /* around innermost loops */
    int64_t longest; /* of the innermost loops' bodies */
    int64_t inside;  /* all of them */
    int64_t here;
};

static bool add(void *arg, const struct poly_knode *k)
{
    struct sum *x = arg;
    if (k->kind == KN_LOOP && !x->in_loop && !rg__poly_knode_has_loop(k->kid[0])) {
        x->in_loop = true;
        x->here = 0;
        rg__poly_knode_walk(k->kid[0], add, x);
        x->in_loop = false;
        x->inside += x->here;
        x->longest = x->here > x->longest ? x->here : x->longest;
        return false;
    }
    int64_t w = k->kind == KN_LEAF ? weight(x->s->tree, k->node)
                : k->kind == KN_IF ? weight(x->s->tree, k->node->kid[0])
                                   : 0;
    *(x->in_loop ? &x->here : &x->outside) += w;
    return true;
}

/* The operations of the longest code that unrolling by u makes of the kernel's. */
static int64_t unrolled(const struct poly_kernel *k, const struct sum *x, int64_t u)
{
    bool strides = (k->grid_stride && k->n_dims == 1) || k->strides; /* a loop around everything, unrolled too */
    if (strides) return u * (x->outside + u * x->inside);
    return u *
           (x->longest ? x->longest : x->outside); /* no loop of ours: one whose ends are data, within a statement */
}

int64_t rg__poly_copies_most(const struct poly_program *p, bool ahead)
{
    int64_t most = MOST;
    for (int i = 0; i < p->n_kernels; i++) {
        struct sum x = {.s = p->scop};
        const struct poly_kernel *k = &p->kernels[i];
        if (!(ahead ? k->ahead : k->unrolled)) continue;
        rg__poly_knode_walk(k->body, add, &x);
        while (most > 1 && (ahead ? most * x.longest : unrolled(k, &x, most)) > MOST) most--;
    }
    return most;
}
