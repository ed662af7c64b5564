/* Random C functions: loop nests to depth 4 with affine, strided, triangular and falling bounds, guards that are affine
 * or depend on data, reductions into scalars and elements, local scalars and arrays, time loops. Always inside their
 * arrays, always defined, and contractive, so that rounding does not grow. libc only. */
#ifndef TESTS_POLY_NEST_GEN_H
#define TESTS_POLY_NEST_GEN_H
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { NEST_TEXT = 16384, NEST_DEPTH = 4 };

struct nest {
    uint32_t state;
    char *out;
    size_t len;
    int indent, depth, names, statements, most;
    struct {
        char name[8];
        bool whole;
    } iter[NEST_DEPTH + 1]; /* whole: runs within [0, n) */
    int locals, arrays;
    char local[6][8], array[3][8]; /* scalars and arrays that hold something here */
    bool real32, sums;
};

static int nest_roll(struct nest *g, int n)
{
    g->state = g->state * 1664525u + 1013904223u;
    return (int)((g->state >> 10) % (uint32_t)n);
}

static void nest_put(struct nest *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void nest_put(struct nest *g, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int k = vsnprintf(g->out + g->len, NEST_TEXT - g->len, fmt, ap);
    va_end(ap);
    if (k > 0 && g->len + (size_t)k < NEST_TEXT) g->len += (size_t)k;
}

static void nest_line(struct nest *g)
{
    nest_put(g, "%*s", 4 * g->indent, "");
}

/* In [0, n + 16) for every iterator: those stay in [0, n) or, where not whole, in [0, 8). */
static void nest_subscript(struct nest *g)
{
    int kind = nest_roll(g, 16);
    if (!g->depth || kind == 0) {
        nest_put(g, "%d", 4 + nest_roll(g, 3));
        return;
    }
    int a = nest_roll(g, g->depth), b = nest_roll(g, g->depth);
    const char *i = g->iter[a].name, *j = g->iter[b].name;
    if (kind == 1 && g->iter[a].whole)
        nest_put(g, "n - 1 - %s + 4", i);
    else if (kind == 2)
        nest_put(g, "%s / 2 + 4", i);
    else if (kind == 3)
        nest_put(g, "(%s + %s) / 2 + 4", i, j);
    else if (kind == 4)
        nest_put(g, "%s %% 4 + 4", i);
    else if (kind < 9)
        nest_put(g, "%s + %d", i, 2 + nest_roll(g, 5));
    else
        nest_put(g, "%s + 4", i);
}

static void nest_reference(struct nest *g, bool written)
{
    static const char *const names[] = {"A", "B", "X", "Y", "C", "D"};
    int a = nest_roll(g, written ? 4 : 6);
    nest_put(g, "%s[", names[a]);
    if (a == 3 && !written && nest_roll(g, 8) == 0) { /* a gather */
        nest_put(g, "K[");
        nest_subscript(g);
        nest_put(g, "] + 4]");
        return;
    }
    nest_subscript(g);
    nest_put(g, "]");
    if (a < 2 || a == 4) {
        nest_put(g, "[");
        nest_subscript(g);
        nest_put(g, "]");
    }
}

static void nest_operand(struct nest *g)
{
    int k = nest_roll(g, 8);
    const char *f = g->real32 ? "f" : "";
    if (g->locals && k < 3)
        nest_put(g, "%s", g->local[nest_roll(g, g->locals)]);
    else if (g->arrays && k == 3)
        nest_put(g, "%s[%d]", g->array[nest_roll(g, g->arrays)], nest_roll(g, 6));
    else if (g->depth && k == 4)
        nest_put(g, "0.01%s * %s", f, g->iter[nest_roll(g, g->depth)].name);
    else
        nest_reference(g, false);
}

static void nest_value(struct nest *g)
{
    int terms = 1 + nest_roll(g, 3);
    const char *f = g->real32 ? "f" : "";
    if (nest_roll(g, 12) == 0) {
        nest_put(g, "0.3%s * fabs%s(", f, f);
        nest_operand(g);
        nest_put(g, ")");
        return;
    }
    for (int i = 0; i < terms; i++) {
        nest_put(g, "%s0.%d%s * ", i ? (nest_roll(g, 4) ? " + " : " - ") : "", 1 + nest_roll(g, 3), f);
        nest_operand(g);
    }
}

static void nest_condition(struct nest *g)
{
    int k = nest_roll(g, 8);
    const char *i = g->depth ? g->iter[nest_roll(g, g->depth)].name : "n",
               *j = g->depth ? g->iter[nest_roll(g, g->depth)].name : "3";
    if (k == 0)
        nest_put(g, "%s < %s + %d", i, j, nest_roll(g, 3));
    else if (k == 1)
        nest_put(g, "%s %% %d == %d", i, 2 + nest_roll(g, 2), nest_roll(g, 2));
    else if (k == 2)
        nest_put(g, "%s > %d && %s != n - 2", i, nest_roll(g, 4), j);
    else if (k < 5) {
        nest_put(g, "K[");
        nest_subscript(g);
        nest_put(g, "] > %d", 1 + nest_roll(g, 3));
    } else if (k == 5) {
        nest_put(g, "%s > 0 && D[%s + 3] > D[%s + 5]", i, i, j);
    } else if (k == 6) {
        nest_put(g, "D[");
        nest_subscript(g);
        nest_put(g, "] > 0 || %s == 1", i);
    } else
        nest_put(g, "%s + 2 <= n", i);
}

static void nest_statement(struct nest *g)
{
    int kind = nest_roll(g, 14);
    const char *type = g->real32 ? "float" : "double";
    g->statements++;
    nest_line(g);
    if (kind == 0 && g->locals < 6) {
        char name[8];
        snprintf(name, sizeof name, "t%d", g->names++);
        nest_put(g, "%s %s = ", type, name);
        nest_value(g);
        nest_put(g, ";\n");
        memcpy(g->local[g->locals++], name, sizeof name);
        return;
    }
    if (kind == 1 && g->locals) {
        const char *l = g->local[nest_roll(g, g->locals)];
        nest_put(g, nest_roll(g, 3) ? "%s = 0.5 * %s + " : "%s = 0.4 * %s - ", l, l);
        nest_value(g);
    } else if (kind == 2) {
        nest_put(g, "K[");
        nest_subscript(g);
        nest_put(g, nest_roll(g, 2) ? "] ^= %d" : "] = %d", 1 + nest_roll(g, 3));
    } else if (kind == 3 && g->depth) {
        nest_put(g, "count += ");
        nest_condition(g);
    } else if (kind == 4 && g->depth) { /* a minimum or maximum */
        const char *f = g->real32 ? "f" : "";
        nest_put(g, "top = f%s%s(top, ", nest_roll(g, 2) ? "max" : "min", f);
        nest_reference(g, false);
        nest_put(g, ")");
        g->sums = true;
    } else if (kind < 7) {
        nest_reference(g, true);
        nest_put(g, nest_roll(g, 4) ? " += 0.05 * " : " -= 0.05 * ");
        nest_operand(g);
    } else if (kind == 7) {
        nest_put(g, "sum += 0.1 * ");
        nest_operand(g);
        g->sums = true;
    } else {
        nest_reference(g, true);
        nest_put(g, " = ");
        nest_value(g);
    }
    nest_put(g, ";\n");
}

static void nest_body(struct nest *g, int most);

static void nest_block(struct nest *g, int most)
{
    int locals = g->locals, arrays = g->arrays;
    g->indent++;
    nest_body(g, most);
    g->indent--;
    g->locals = locals;
    g->arrays = arrays;
    nest_line(g);
    nest_put(g, "}\n");
}

/* Fills a local array, of a constant or a run-time extent, and reads it backwards. */
static void nest_array(struct nest *g)
{
    char name[8];
    int k = g->names++;
    bool vla = nest_roll(g, 2);
    snprintf(name, sizeof name, "w%d", g->names++);
    nest_line(g);
    nest_put(g, "%s %s[%s];\n", g->real32 ? "float" : "double", name, vla ? "n + 6" : "6");
    nest_line(g);
    nest_put(g, "for (int k%d = 0; k%d < %s; k%d++) %s[k%d] = ", k, k, vla ? "n + 6" : "6", k, name, k);
    nest_value(g);
    nest_put(g, " + 0.1 * D[k%d + 2];\n", k);
    if (g->arrays < 3) memcpy(g->array[g->arrays++], name, sizeof name);
}

static void nest_loop(struct nest *g)
{
    char *v = g->iter[g->depth].name;
    int at = g->depth ? nest_roll(g, g->depth) : 0, at2 = g->depth ? nest_roll(g, g->depth) : 0;
    const char *o = g->depth ? g->iter[at].name : "2", *q = g->depth ? g->iter[at2].name : "1";
    snprintf(v, sizeof g->iter[0].name, "i%d", g->names++);
    g->iter[g->depth].whole = true;
    nest_line(g);
    bool in = g->depth > 0;
    if (in && !g->iter[at].whole) in = false;
    switch (nest_roll(g, in ? 18 : 9)) {
    case 0:
        nest_put(g, "for (int %s = 1; %s < n; %s++) {\n", v, v, v);
        break;
    case 1:
        nest_put(g, "for (int %s = 0; %s < n - 1; %s++) {\n", v, v, v);
        break;
    case 2:
        nest_put(g, "for (int %s = n - 1; %s >= 0; %s--) {\n", v, v, v);
        break;
    case 3:
        nest_put(g, "for (int %s = %d; %s < n; %s += %d) {\n", v, nest_roll(g, 2), v, v, 2 + nest_roll(g, 2));
        break;
    case 4:
        nest_put(g, "for (int %s = 0; %s < %d; %s++) {\n", v, v, 2 + nest_roll(g, 6), v);
        g->iter[g->depth].whole = false;
        break;
    case 9:
        nest_put(g, "for (int %s = 0; %s < %s; %s++) {\n", v, v, o, v);
        break;
    case 10:
        nest_put(g, "for (int %s = %s; %s < n; %s++) {\n", v, o, v, v);
        break;
    case 11:
        nest_put(g, "for (int %s = %s + 1; %s < n; %s++) {\n", v, o, v, v);
        break;
    case 12:
        nest_put(g, "for (int %s = (%s + %s) %% 2; %s < n; %s += 2) {\n", v, o, q, v, v);
        break;
    case 13:
        nest_put(g, "for (int %s = 1 + %s %% 3; %s < n; %s += 3) {\n", v, o, v, v);
        break;
    case 14:
        nest_put(g, "for (int %s = %s > 3 ? %s - 3 : 0; %s < n; %s++) {\n", v, o, o, v, v);
        break;
    case 15:
        nest_put(g, "for (int %s = 0; %s < n && %s <= %s; %s++) {\n", v, v, v, o, v);
        break;
    case 16:
        nest_put(g, "for (int %s = %s; %s >= 0; %s -= 2) {\n", v, o, v, v);
        break;
    case 17:
        nest_put(g, "for (int %s = 0; %s <= n - 1 - %s; %s++) {\n", v, v, o, v);
        break;
    default:
        nest_put(g, "for (int %s = 0; %s < n; %s++) {\n", v, v, v);
        break;
    }
    g->depth++;
    nest_block(g, g->depth < 3 ? 3 : 2);
    g->depth--;
}

static void nest_body(struct nest *g, int most)
{
    int n = 1 + nest_roll(g, most);
    for (int i = 0; i < n; i++) {
        int kind = nest_roll(g, 20);
        if (g->statements >= g->most) break;
        if (g->depth < NEST_DEPTH && (kind < 9 || !g->depth)) {
            nest_loop(g);
        } else if (kind < 12 && g->depth) {
            nest_line(g);
            nest_put(g, "if (");
            nest_condition(g);
            nest_put(g, ") {\n");
            nest_block(g, 2);
            if (nest_roll(g, 3) == 0) {
                nest_line(g);
                nest_put(g, "else {\n");
                nest_block(g, 1);
            }
        } else if (kind == 12 && g->depth && g->arrays < 3) {
            nest_array(g);
        } else {
            nest_statement(g);
        }
    }
    if (!g->statements) nest_statement(g);
}

/* The text of a file with the one function `nest`; `out` has NEST_TEXT bytes. */
static inline void nest_generate(uint32_t seed, char *out)
{
    struct nest g = {.state = seed * 2654435761u + 17, .out = out, .indent = 1};
    g.real32 = nest_roll(&g, 4) == 0;
    g.most = 1 + nest_roll(&g, 7);
    const char *t = g.real32 ? "float" : "double";
    bool time = nest_roll(&g, 4) == 0;
    out[0] = 0;
    nest_put(&g,
             "#include <math.h>\n#pragma regraph size(n=17, T=2) size(n=1, T=1) size(n=8, T=3) size(n=33, T=1)\n"
             "#pragma regraph input(K: uniform(0, 5)) tolerance(rtol=%s, atol=%s)\n"
             "%s nest(int n, int T, %s A[n + 16][n + 16], %s B[n + 16][n + 16], %s X[n + 16], %s Y[n + 16],\n"
             "    const %s C[n + 16][n + 16], const %s D[n + 16], int K[n + 16], int result_count[1])\n{\n"
             "    int count = 0;\n    %s sum = 0, top = 0;\n",
             g.real32 ? "1e-2" : "1e-9", g.real32 ? "1e-3" : "1e-11", t, t, t, t, t, t, t, t);
    if (time) {
        nest_line(&g);
        nest_put(&g, "for (int s = 0; s < T; s++) {\n");
        g.indent++;
    }
    do nest_body(&g, 3);
    while (!g.statements);
    if (time) {
        g.indent--;
        nest_line(&g);
        nest_put(&g, "}\n");
    }
    nest_put(&g, "    result_count[0] = count;\n    return sum + top + T + X[4];\n}\n");
}
#endif
