/* Writes one random C function of the kind that leaves loops early, toggles and counts by conditions: exit_gen SEED. Styles of people: return,
 * break, flags, conditions of while loops; counters declared here or there, up and down; with and without effects before the exit; lists that are
 * full at some time, searches that stop where they can't change an extreme. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;

static int pick(int n)
{
    state += 0x9E3779B97F4A7C15u;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (int)((z ^ (z >> 31)) % (uint64_t)n);
}

static const char *one(const char *const *of, int n)
{
    return of[pick(n)];
}

static int info; /* next place of what is told */

/* A condition that holds rarely, now and then, or often, of element `i`. */
static void condition(const char *i)
{
    static const int rare[] = {3, 40, 700, 20011, 1000003};
    int m = rare[pick(5)], r = pick(m);
    switch (pick(5)) {
    case 0: printf("a[%s] * 31 %% %d == %d", i, m < 100 ? m : 97, r % (m < 100 ? m : 97)); break;
    case 1: printf("(a[%s] * 1009 + %s * 7) %% %d == %d", i, i, m, r); break;
    case 2: printf("x[%s] > %s", i, one((const char *const[]){"0.5", "0.99", "0.9999", "3"}, 4)); break;
    case 3: printf("x[%s] < -0.9 && (a[%s] + %s) %% %d == %d", i, i, i, m, r); break;
    default: printf("(a[%s] ^ b[%s]) == %d", i, i, pick(128)); break;
    }
}

static void effect(const char *i, int which)
{
    switch (which) {
    case 0: printf("        out[%s] = a[%s] + 2 * b[%s];\n", i, i, i); break;
    case 1: printf("        total += a[%s] & 15;\n", i); break;
    case 2: printf("        if (b[%s] > 50) many++;\n", i); break;
    case 3: printf("        y[%s] = 0.5 * x[%s];\n", i, i); break;
    case 4: printf("        if (x[%s] > 0) y[%s] = x[%s] - 1; else out[%s] = b[%s];\n", i, i, i, i, i); break;
    case 5: printf("        greatest = a[%s] > greatest ? a[%s] : greatest;\n", i, i); break;
    default: break;
    }
}

static void told(const char *what)
{
    printf("    info[%d] = %s;\n", info++, what);
}

/* for (...) with the counter declared there or in front. */
static void open_for(const char *i, bool here, bool down, const char *more)
{
    static const char *const lows[] = {"0", "1", "3"}, *const steps[] = {"++", " += 2", " += 3"}, *const back[] = {"--", " -= 2", " -= 3"};
    int by = pick(4) ? 0 : 1 + pick(2);
    if (down) printf("    for (%s%s = n - 1; %s >= %s%s; %s%s) {\n", here ? "int " : "", i, i, one(lows, 3), more, i, back[by]);
    else if (pick(4) == 0) printf("    for (%s%s = %s; %s < n%s; %s%s) {\n", here ? "int " : "", i, one(lows, 3), i, more, i, steps[by]);
    else printf("    for (%s%s = 0; %s < n%s; %s%s) {\n", here ? "int " : "", i, i, more, i, steps[by]);
}

static void by_break(int k)
{
    char i[8], text[64];
    snprintf(i, sizeof i, "i%d", k);
    bool temp = pick(3) == 0, record = pick(2);
    int before = pick(9), after = pick(9), second = pick(4);
    printf("    int %s, at%d = -1%s;\n", i, k, temp ? ", v" : "");
    open_for(i, false, pick(3) == 0, "");
    if (temp) printf("        v = a[%s] + b[%s];\n        if (v > 190 && %s %% 5 == 2) { at%d = v; break; }\n", i, i, i, k);
    if (before < 4) effect(i, before);
    if (before == 4) { /* left by what it has just stored, perhaps under a condition */
        static const char *const stores[] = {"out[%s] = a[%s] * 7 %% 1009;\n", "if (b[%s] > 50) out[%s] += 3;\n"};
        printf("        ");
        printf(one(stores, 2), i, i);
        printf("        if (out[%s] %% 1009 == %d) { at%d = out[%s]; break; }\n", i, pick(1009), k, i);
    }
    if (pick(4) == 0) printf("        if (b[%s] < 20) continue;\n", i);
    printf("        if (");
    condition(i);
    printf(") {%s at%d = %s; break; }\n", pick(3) ? "" : " total += 3;", k, record ? i : "7");
    if (second == 0) {
        printf("        else if (");
        condition(i);
        printf(") { at%d = -%s - 2; break; }\n", k, i);
    }
    effect(i, after);
    printf("    }\n");
    snprintf(text, sizeof text, "at%d", k);
    told(text);
    if (pick(2)) told(i);
}

static void by_flag(int k)
{
    char i[8], text[64], more[32];
    snprintf(i, sizeof i, "i%d", k);
    bool ok = pick(2);
    snprintf(more, sizeof more, ok ? " && ok%d" : pick(2) ? " && !ok%d" : " && ok%d == 0", k);
    printf("    int %s, ok%d = %d;\n", i, k, ok);
    open_for(i, false, false, more);
    if (pick(3) == 0) effect(i, pick(6));
    if (pick(3)) {
        printf("        if (");
        condition(i);
        printf(") ok%d = %d;\n", k, !ok);
    } else if (!ok) {
        printf("        ok%d = ", k);
        condition(i);
        printf(";\n");
    } else {
        printf("        if (");
        condition(i);
        printf(") { ok%d = 0; many += %s; }\n", k, i);
    }
    printf("    }\n");
    snprintf(text, sizeof text, "ok%d", k);
    told(text);
    told(i);
}

static void by_while(int k)
{
    char i[8];
    snprintf(i, sizeof i, "i%d", k);
    printf("    int %s = %d;\n    while (%s < n && !(", i, pick(3), i);
    condition(i);
    printf(")) %s++;\n", i);
    told(i);
}

static void by_return(int k)
{
    char i[8];
    snprintf(i, sizeof i, "i%d", k);
    open_for(i, true, pick(3) == 0, "");
    if (pick(2)) effect(i, pick(6));
    printf("        if (");
    condition(i);
    if (pick(2)) printf(") return %d + %s;\n", k * 10, i);
    else printf(") { info[7] = %s; return b[%s] - %d; }\n", i, i, k);
    if (pick(3) == 0) effect(i, pick(6));
    printf("    }\n");
}

static void by_nest(int k)
{
    bool returns = pick(2), triangle = pick(3) == 0;
    char again[32];
    snprintf(again, sizeof again, " && !done%d", k);
    printf("    int r%d = -1, c%d = -1, done%d = 0;\n", k, k, k);
    printf("    for (int i = 0; i < 40%s; i++)\n        for (int j = %s; j < %s; j++)\n            if (", returns || pick(2) ? "" : again, triangle ? "i + 1" : "0",
           triangle ? "40" : "50");
    static const int rare[] = {700, 20011, 1000003};
    int m = rare[pick(3)];
    printf("(c[i][j] * 1009 + i * 77 + j) %% %d == %d", m, pick(m));
    if (returns) printf(") return i * 100 + j;\n");
    else printf(") { if (!done%d) { r%d = i; c%d = j; } done%d = 1;%s }\n", k, k, k, k, pick(2) ? " break;" : "");
    char text[64];
    snprintf(text, sizeof text, "r%d * 100 + c%d", k, k);
    if (!returns) told(text);
}

static void by_toggle(int k)
{
    char text[64];
    static const char *const flips[] = {"f%d = !f%d;", "f%d ^= 1;", "f%d = 1 - f%d;", "f%d = f%d ? 0 : 1;"};
    const char *flip = one(flips, 4);
    printf("    int f%d = %d;\n    for (int i = 0; i < n; i++) {\n", k, pick(2));
    bool when = pick(2), uses = pick(2);
    if (when) {
        printf("        if (");
        condition("i");
        printf(") ");
    } else {
        printf("        ");
    }
    printf(flip, k, k);
    printf("\n");
    if (uses) printf("        if (f%d) out[i] = a[i]; else out[i] = -b[i];\n", k);
    printf("    }\n");
    snprintf(text, sizeof text, "f%d", k);
    told(text);
}

static void by_counters(int k)
{
    char text[64];
    bool ends = pick(3) == 0, three = pick(2);
    printf("    int p%d = 0, q%d = %s, z%d = 0;\n    for (int i = 0; i < n; i++) {\n        if (", k, k, ends ? "n" : "0", k);
    condition("i");
    printf(") out[p%d++] = a[i];\n", k);
    if (three) {
        printf("        else if (");
        condition("i");
        printf(") z%d++;\n", k);
    }
    if (ends) printf("        else out[--q%d] = b[i];\n", k);
    else printf("        else list[q%d++] = b[i] + i;\n", k);
    printf("    }\n");
    snprintf(text, sizeof text, "p%d * 7 + q%d * 3 + z%d", k, k, k);
    told(text);
}

/* A list of limited length, as people ask whether it is full. */
static void by_list(int k)
{
    char i[8], cap[16], text[64];
    snprintf(i, sizeof i, "i%d", k);
    snprintf(cap, sizeof cap, pick(3) ? "%d" : "n / %d", 1 + pick(300));
    const char *to = pick(2) ? "list" : "out";
    const char *from = pick(3) ? "0" : "1";
    int form = pick(8);
    bool header = form == 0, at_once = form == 1 || form == 2, more = pick(2);
    printf("    int m%d = %s, lost%d = 0;\n", k, from, k);
    printf("    for (int %s = 0; %s < n", i, i);
    if (header) printf(" && m%d < %s", k, cap);
    printf("; %s++) {\n", i);
    if (form == 7) printf("        if (m%d >= %s) break;\n", k, cap);
    if (more) printf("        int v = a[%s] + 3 * b[%s];\n", i, i);
    printf("        if (");
    if (form == 1) printf("m%d < %s && ", k, cap);
    printf("(");
    condition(i);
    printf(")");
    if (form == 2) printf(" && m%d < %s", k, cap);
    printf(") {\n");
    const char *value = more ? "v" : i;
    if (header || at_once || form == 7) {
        printf("            %s[m%d++] = %s;\n", to, k, value);
    } else if (form == 3) {
        printf("            if (m%d < %s) %s[m%d++] = %s;\n", k, cap, to, k, value);
        if (pick(2)) printf("            else lost%d++;\n", k);
    } else if (form == 4) {
        printf("            if (m%d < %s) %s[m%d] = %s;\n            m%d++;\n", k, cap, to, k, value, k);
    } else if (form == 5) {
        printf("            if (m%d %s %s) %s;\n            %s[m%d] = %s;\n            m%d++;\n", k, pick(2) ? "==" : ">=", cap,
               pick(2) ? "break" : "return -5", to, k, value, k);
    } else {
        printf("            %s[m%d] = %s;\n            if (++m%d >= %s) break;\n", to, k, value, k, cap);
    }
    printf("        }\n    }\n");
    snprintf(text, sizeof text, "m%d * 3 + lost%d", k, k);
    told(text);
}

/* A search that stops where what is kept around it can't change any more. */
static void by_pruning(int k)
{
    char text[64];
    bool least = pick(2);
    printf("    double keep%d = %s;\n    int who%d = -1;\n    for (int i = 0; i < 40; i++) {\n", k, least ? "1e300" : "0", k);
    printf("        double s = %s;\n        for (int j = 0; j < 50; j++) {\n", least ? "0" : "1e300");
    printf("            double d = c[i][j] - 0.5 * i;\n");
    printf(least ? "            s += d * d;\n" : "            if (d * d < s) s = d * d;\n");
    printf("            if (s %s keep%d) break;\n        }\n", least ? one((const char *const[]){">=", ">"}, 2) : one((const char *const[]){"<=", "<"}, 2), k);
    printf("        if (s %s keep%d) { keep%d = s; who%d = i; }\n    }\n", least ? "<" : ">", k, k, k);
    printf("    total += keep%d > 3000;\n", k);
    snprintf(text, sizeof text, "who%d", k);
    told(text);
}

/* A search by what an iteration works out in arrays of its own: hashes, keys, digits. Now and then the array outlives it. */
static void by_words(int k)
{
    char text[64];
    static const char *const mixes[] = {"w[j] = (unsigned)a[i] * (2 * j + 1) + (unsigned)b[(i + j) % n] * 40503u;",
                                        "w[j] = (unsigned)(a[i] + j * 77) << (j + 1);", "w[j] ^= (unsigned)b[i] * (j + 3u) + 11u;"};
    int kept = pick(4) == 0, many = 2 + pick(6), m = 1 + pick(4000), returns = pick(2), end = pick(4), after = pick(9);
    const char *mix = one(mixes, 3);
    bool first = mix == mixes[2]; /* what the array had before counts */
    printf("    int at%d = -1;\n", k);
    if (kept) printf("    {\n    unsigned w[%d] = {5u, 9u};\n", many);
    printf("    for (int i = 0; i < n; i++) {\n");
    if (!kept) printf(first ? "        unsigned w[%d] = {1u, 7u};\n" : "        unsigned w[%d];\n", many);
    printf("        for (int j = 0; j < %d; j++) %s\n", many, mix);
    if (pick(2)) printf("        for (int j = 1; j < %d; j++) w[j] = w[j - 1] * 31u + (w[j] ^ w[j - 1] >> 3);\n", many);
    if (end == 0) printf("        int z = 0;\n        while (z < %d && w[z] %% 3 != 0) z++;\n", many);
    if (end == 1) printf("        int z = 0;\n        for (unsigned bit = 1u << 20; bit && !(w[%d] & bit); bit >>= 1) z++;\n", pick(many));
    if (end == 2) printf("        unsigned z = 0;\n        for (int j = 0; j < %d; j++) z += w[j];\n", many);
    if (pick(3) == 0) effect("i", pick(6));
    if (end == 0) printf("        if (z == %d) {", pick(2) ? many : pick(many));
    else if (end == 1) printf("        if (z > %d) {", 5 + pick(15));
    else printf("        if (%s %% %d == %d) {", end == 2 ? "z" : "w[1]", m, pick(m));
    if (pick(2)) printf(" %s = (int)(w[0] >> 1);", pick(2) ? "list[i]" : "info[7]");
    if (returns) printf(" return %d + i; }\n", k);
    else printf(" at%d = i; break; }\n", k);
    if (pick(3) == 0) printf("        out[i] = (int)(w[%d] & 1023u);\n", pick(many));
    else effect("i", after);
    printf(kept ? "    }\n    }\n" : "    }\n");
    snprintf(text, sizeof text, "at%d", k);
    if (!returns) told(text);
}

int main(int argc, char **argv)
{
    state = argc > 1 ? strtoull(argv[1], NULL, 10) * 7919 : 1;
    printf("#pragma regraph size(n=%d)\n#pragma regraph extent(a: n) extent(b: n) extent(x: n) extent(out: n) extent(y: n) extent(list: n) extent(info: 8)\n", 2000 + pick(3000));
    printf("#pragma regraph role(out: inout) role(y: inout) role(list: inout) role(info: inout)\n");
    printf("int f(int n, const int *a, const int *b, const double *x, int c[40][50], int *out, double *y, int *list, int *info)\n{\n");
    printf("    int total = 0, many = 0, greatest = -1;\n");
    int n = 1 + pick(3);
    bool counters = false;
    for (int k = 0; k < n; k++) {
        switch (pick(14)) {
        case 12:
        case 13: by_words(k); break;
        case 9:
        case 10: by_list(k); break;
        case 11: by_pruning(k); break;
        case 0:
        case 1: by_break(k); break;
        case 2: by_flag(k); break;
        case 3: by_while(k); break;
        case 4:
        case 5: by_return(k); break;
        case 6: by_nest(k); break;
        case 7: by_toggle(k); break;
        default:
            if (!counters) by_counters(k);
            else by_while(k);
            counters = true;
            break;
        }
    }
    printf("    info[6] = total + many * 3;\n    return greatest + info[6];\n}\n");
    return 0;
}
