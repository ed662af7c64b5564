/* Writes one random C function whose loops go by pointers: walk_gen SEED. One to three pointers walk, up or down, by one or
 * more elements; the bound is on any of them, or on a counter; it is computed in front or in the condition, compared by <,
 * != or >; the loop is a for, a while or a do; in a helper or in the function itself; rows of a matrix by row pointers. All
 * numbers are integers, so that every order of the work gives the same. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t seed;

static int pick(int n)
{
    seed += 0x9E3779B97F4A7C15u;
    uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (int)((z ^ (z >> 31)) % (uint64_t)n);
}

enum { UP, DOWN, ROWS, PAIRS, COUNTED, N_KINDS };

/* *to = value of *from; the pointers step where that is part of the expressions. */
static void element(const char *to, const char *x, const char *y, bool steps)
{
    const char *s = steps ? "++" : "";
    switch (pick(4)) {
    case 0: printf("*%s%s = (*%s%s * %d + 1) & 4095;\n", to, s, x, s, 2 + pick(7)); break;
    case 1: printf("*%s%s = (*%s%s + *%s%s) & 4095;\n", to, s, x, s, y, s); break;
    case 2: printf("*%s%s = *%s%s ^ %d;\n", to, s, x, s, pick(64)); break;
    default: printf("*%s%s = *%s > %d ? *%s%s : %d;\n", to, s, x, pick(4096), x, s, pick(9)); break;
    }
}

static int n_walks;

static void up(void)
{
    static const char *const bound[] = {"x", "to"};
    const char *on = bound[pick(2)], *relation = pick(2) ? "<" : "!=";
    bool ahead = pick(2);
    printf("    int *to = %s;\n    const int *x = a, *y = b;\n", pick(2) ? "out" : "&out[0]");
    if (ahead) printf("    const int *end = %s + n;\n", on[0] == 'x' ? "a" : "out");
    char condition[64];
    snprintf(condition, sizeof condition, "%s %s %s", on, relation, ahead ? "end" : on[0] == 'x' ? "a + n" : "out + n");
    switch (pick(3)) {
    case 0:
        printf("    for (; %s; x++, y++, to++) ", condition);
        element("to", "x", "y", false);
        break;
    case 1:
        printf("    while (%s) {\n        ", condition);
        element("to", "x", "y", false);
        printf("        ++x;\n        y += 1;\n        to++;\n    }\n");
        break;
    default:
        printf("    do {\n        ");
        element("to", "x", "y", false);
        printf("        x++;\n        y++;\n        to++;\n    } while (%s);\n", condition);
        break;
    }
}

static void down(void)
{
    printf("    int *to = out + n;\n    const int *x = a + n, *y = b + n;\n    while (%s) {\n        --to;\n        --x;\n        --y;\n        ",
           pick(2) ? "to > out" : pick(2) ? "x != a" : "y > b");
    element("to", "x", "y", false);
    printf("    }\n");
}

static void by_rows(void)
{
    printf("    for (int i = 0; i + 4 <= n; i += 4) {\n        const int *x = a + i, *y = b + i;\n        int *to = %s, *end = to + 4;\n        while (to %s end) ",
           pick(2) ? "out + i" : "&out[i]", pick(2) ? "<" : "!=");
    printf("*to++ = (*x++ + %d * *y++) & 4095;\n    }\n", 1 + pick(5));
}

static void pairs(void)
{
    int k = 2 + 2 * pick(2);
    printf("    const int *x = a%s;\n    int *to = out;\n    for (%s; to %s out + n; %s) {\n", pick(2) ? "" : ", *stop = a + n", "(void)0",
           pick(2) ? "<" : "!=", "(void)0");
    for (int i = 0; i < k; i++) printf("        int v%d = *x++;\n", i);
    for (int i = 0; i < k; i++) printf("        *to++ = (v%d + %d) & 4095;\n", pick(k), pick(99));
    printf("    }\n");
}

static void counted(void)
{
    printf("    const int *x = a, *y = b;\n    int *to = out, left = n;\n    %s {\n        ", pick(2) ? "while (left--)" : "for (; left > 0; left--)");
    element("to", "x", "y", false);
    printf("        x++, y++, to++;\n    }\n");
}

static void walk(void)
{
    printf("static void walk%d(int n, const int *a, const int *b, int *out)\n{\n", n_walks++);
    switch (pick(N_KINDS)) {
    case UP: up(); break;
    case DOWN: down(); break;
    case ROWS: by_rows(); break;
    case PAIRS: pairs(); break;
    default: counted(); break;
    }
    printf("}\n");
}

int main(int argc, char **argv)
{
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) * 15485863 : 1;
    printf("#pragma regraph size(n=%d) require(n %% 4 == 0) require(n >= 8)\n", 400 + 4 * pick(500));
    printf("#pragma regraph extent(a: n) extent(b: n) extent(u: n) extent(v: n) input(a: uniform(0, 4095)) input(b: uniform(0, 4095))\n");
    int n = 1 + pick(3);
    for (int k = 0; k < n; k++) walk();
    printf("void entry(int n, const int *a, const int *b, int *u, int *v)\n{\n    walk0(n, a, b, u);\n");
    for (int k = 1; k < n; k++) printf("    walk%d(n, %s, %s, %s);\n", k, k == 1 ? "u" : "v", k == 1 ? "b" : "u", k == 1 ? "v" : "u");
    if (n == 1) printf("    for (int i = 0; i < n; i++) v[i] = u[n - 1 - i];\n");
    printf("}\n");
    return 0;
}
