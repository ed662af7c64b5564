/* Writes one random C function with loops that carry several scalars: running_gen SEED. Running extremes, sums, stretches,
 * sums above a floor or below a ceiling, counters, minima and maxima with a flag, and what is computed of them: in many
 * spellings, in any order, forwards and backwards, with places, conditions and arrays of every value; kept in scalars, in
 * members of a local structure or of the caller's. All numbers are integers, so that every order of the work gives the same. */
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

enum { MOST = 5 };
static const char *prefix; /* "", "s.", "r->" */
static int n_values, kind[MOST];
enum { EXTREME, SUM, STRETCH, FLOOR, CEILING, COUNTER, FLAGGED, PLACED, N_KINDS };

static const char *value(int k)
{
    static char text[4][32];
    static int turn;
    char *t = text[turn++ & 3];
    snprintf(t, 32, "%sv%d", prefix, k);
    return t;
}

/* Of the iteration; perhaps of a value that is carried. */
static const char *operand(int of)
{
    static char text[4][96];
    static int turn;
    char *t = text[turn++ & 3];
    switch (pick(of >= 0 ? 6 : 3)) {
    case 0: snprintf(t, 96, "x[i]"); break;
    case 1: snprintf(t, 96, "(x[i] - %d)", pick(9)); break;
    case 2: snprintf(t, 96, "(y[i] + x[i])"); break;
    case 3: snprintf(t, 96, "(%s - x[i])", value(of)); break;
    case 4: snprintf(t, 96, "(x[i] + %s)", value(of)); break;
    default: snprintf(t, 96, "%s", value(of)); break;
    }
    return t;
}

static void extreme(int k, const char *e)
{
    const char *v = value(k);
    bool more = pick(2), strict = pick(2);
    const char *op = more ? (strict ? ">" : ">=") : strict ? "<" : "<=", *back = more ? (strict ? "<" : "<=") : strict ? ">" : ">=";
    switch (pick(5)) {
    case 0: printf("        if (%s %s %s) %s = %s;\n", e, op, v, v, e); break;
    case 1: printf("        %s = %s %s %s ? %s : %s;\n", v, v, back, e, e, v); break;
    case 2: printf("        {\n            int d = %s;\n            if (d %s %s) %s = d;\n        }\n", e, op, v, v); break;
    case 3: printf("        if (ok[i] && %s %s %s) %s = %s;\n", e, op, v, v, e); break;
    default:
        printf("        if (%s %s %s) {\n            %s = %s;\n            at%d = i;\n        }\n", e, op, v, v, e, k);
        break;
    }
}

static void bounded(int k, bool floor)
{
    const char *v = value(k), *e = operand(-1), *op = floor ? "<" : ">", *other = floor ? ">" : "<";
    switch (pick(5)) {
    case 0: printf("        %s += %s;\n        if (%s %s 0) %s = 0;\n", v, e, v, op, v); break;
    case 1: printf("        if (%s %s 0) %s = 0;\n        %s += %s;\n", v, op, v, v, e); break;
    case 2: printf("        %s = %s %s 0 ? %s + %s : %s;\n", v, v, other, v, e, e); break;
    case 3: printf("        %s = %s + %s %s 0 ? 0 : %s + %s;\n", v, v, e, op, v, e); break;
    default:
        printf("        if (%s %s 0) {\n            %s = %s;\n            at%d = i;\n        } else {\n            %s += %s;\n        }\n", v, op, v, e,
               k, v, e);
        break;
    }
}

static void flagged(int k)
{
    const char *v = value(k), *e = operand(-1), *op = pick(2) ? "<" : ">";
    const char *guard = pick(2) ? "ok[i] && " : "";
    switch (pick(4)) {
    case 0:
        printf("        if (%s(!got%d || %s %s %s)) {\n            %s = %s;\n            at%d = i;\n            got%d = 1;\n        }\n", guard, k, e,
               op, v, v, e, k, k);
        break;
    case 1:
        printf("        if (!ok[i]) {\n            if (got%d == 0)\n                %s = %s;\n            else if (%s %s %s)\n                %s = %s;\n"
               "            got%d++;\n        }\n",
               k, v, e, e, op, v, v, e, k);
        break;
    case 2: printf("        if (i == %s || %s %s %s) %s = %s;\n", "FIRST", e, op, v, v, e); break;
    default:
        printf("        if (%s(at%d < 0 || %s %s %s)) {\n            at%d = i;\n            %s = %s;\n        }\n", guard, k, e, op, v, k, v, e);
        break;
    }
}

static void update(int k)
{
    int of = k ? pick(k + 1) - 1 : -1; /* of one in front of it */
    const char *v = value(k), *e = operand(of);
    switch (kind[k]) {
    case EXTREME: extreme(k, e); break;
    case SUM:
        if (pick(3))
            printf("        %s += %s;\n", v, e);
        else
            printf("        if (%s > %d) %s -= x[i];\n", e, pick(9) - 4, v);
        break;
    case STRETCH:
        if (pick(2))
            printf("        %s = x[i] > %d ? %s + 1 : 0;\n", v, pick(9) - 6, v);
        else
            printf("        if (ok[i])\n            %s++;\n        else\n            %s = %d;\n", v, v, pick(3));
        break;
    case FLOOR: bounded(k, true); break;
    case CEILING: bounded(k, false); break;
    case COUNTER: printf(pick(2) ? "        %s++;\n" : "        %s += 3;\n", v); break;
    case FLAGGED: flagged(k); break;
    default: printf("        if (x[i] %s x[at%d]) at%d = i;\n", pick(2) ? ">" : "<=", k, k); break;
    }
}

/* Values that data set anew, together or one by one. */
static void resets(void)
{
    static const char *const to[] = {"0", "x[i]", "-1000", "y[i] * 2"};
    bool together = pick(2);
    if (pick(2)) return;
    if (together) printf("        if (y[i] == %d) {\n", pick(4));
    for (int k = 0; k < n_values; k++) {
        if (kind[k] == FLAGGED || kind[k] == PLACED || pick(3) == 0) continue;
        if (together)
            printf("            %s = %s;\n", value(k), to[pick(4)]);
        else
            printf("        %s = y[i] > %d ? %s : %s;\n", value(k), pick(3), to[pick(4)], value(k));
    }
    if (together) printf("        }\n");
}

static void loop(int number)
{
    bool down = pick(4) == 0;
    int from = pick(2);
    n_values = 2 + pick(MOST - 1);
    for (int k = 0; k < n_values; k++) kind[k] = pick(N_KINDS);
    printf("static void loop%d(int n, const int *x, const int *y, const int *ok, int *each, struct all *r, int *out)\n{\n", number);
    printf("#undef FIRST\n#define FIRST %s\n", down ? "n - 1" : from ? "1" : "0");
    switch (pick(3)) {
    case 0: prefix = ""; break;
    case 1: prefix = "s."; break;
    default: prefix = "r->"; break;
    }
    if (*prefix == 's') printf("    struct all s = {0};\n");
    for (int k = 0; k < n_values; k++) {
        printf("    int %sat%d = %s", "", k, kind[k] == PLACED ? "FIRST" : "-1");
        printf(", got%d = 0;\n    %s%s = %s;\n", k, *prefix ? "" : "int ", value(k), pick(3) ? "0" : "x[0]");
    }
    if (down)
        printf("    for (int i = n - 1; i >= %d; i--) {\n", from);
    else
        printf("    for (int i = %d; i < n; i%s) {\n", from, pick(2) ? "++" : " += 1");
    int last = pick(3) == 0 ? 1 + pick(n_values - 1) : n_values; /* behind an element that it may read again */
    resets();
    for (int k = 0; k < last; k++) update(k);
    if (last < n_values || pick(3) == 0) printf("        each[i] = %s;\n", value(pick(last)));
    if (last < n_values) extreme(last, pick(2) ? "each[i]" : "(each[i] - x[i])");
    for (int k = last + 1; k < n_values; k++) update(k);
    printf("    }\n");
    for (int k = 0; k < n_values; k++) printf("    out[%d] = %s ^ (at%d * 3 + got%d);\n", k, value(k), k, k);
    if (*prefix == 's') printf("    *r = s;\n");
    printf("}\n");
}

int main(int argc, char **argv)
{
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) * 15485863 : 1;
    int n = 1 + pick(2);
    printf("#pragma regraph size(n=%d) size(n=2) size(n=37) require(n >= 2)\n", 300 + pick(3000));
    printf("#pragma regraph extent(x: n) extent(y: n) extent(ok: n) extent(each: n) extent(r: 1) extent(out: %d)\n", MOST * n);
    printf("#pragma regraph input(x: uniform(-9, 9)) input(y: uniform(-3, 3)) input(ok: uniform(0, %d))\n", 1 + pick(3));
    printf("struct all { int v0, v1, v2, v3, v4; };\n");
    for (int k = 0; k < n; k++) loop(k);
    printf("void entry(int n, const int *x, const int *y, const int *ok, int *each, struct all *r, int *out)\n{\n");
    for (int k = 0; k < n; k++) printf("    loop%d(n, x, y, ok, each, r, out + %d);\n", k, k * MOST);
    printf("}\n");
    return 0;
}
