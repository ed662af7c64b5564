/* sort_gen SEED: a random C function on stdout that sorts by qsort, or that goes by powers of two: butterflies, sums
 * along trees, wavelets, and what only looks like them. Integers without sign, so that an order of iterations that is
 * not the C's shows. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t state;

static int pick(int n) /* 0 .. n - 1 */
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (int)(state % (uint32_t)n);
}

#define ONE_OF(...) ((const char *[]){__VA_ARGS__})[pick((int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)))]

/* ---- sorts ---- */

static void comparison(const char *type, bool record, bool small)
{
    const char *k = record ? "->a" : "", *deref = record ? "" : "*";
    int how = pick(small ? 5 : 4);
    printf("static int order(const void *p, const void *q)\n{\n");
    printf("    const %s *x = p, *y = (const %s *)q;\n", type, type);
    if (record && pick(2)) printf("    if (x->b != y->b) return x->b < y->b ? %s;\n", pick(2) ? "-1 : 1" : "1 : -1");
    const char *l = pick(2) ? "x" : "y", *r = *l == 'x' ? "y" : "x";
    switch (how) {
    case 0:
        printf("    return (%s%s%s > %s%s%s) - (%s%s%s < %s%s%s);\n", deref, l, k, deref, r, k, deref, l, k, deref, r,
               k);
        break;
    case 1:
        printf("    if (%s%s%s < %s%s%s) return -1;\n    if (%s%s%s > %s%s%s) return 1;\n    return 0;\n", deref, l, k,
               deref, r, k, deref, l, k, deref, r, k);
        break;
    case 2:
        printf("    %s u = *%s, v = *%s;\n    return u%s == v%s ? 0 : u%s < v%s ? -7 : 3;\n", type, l, r,
               record ? ".a" : "", record ? ".a" : "", record ? ".a" : "", record ? ".a" : "");
        break;
    case 3: /* of what both have in common: many are equal */
        if (record)
            printf("    return (%s->b > %s->b) - (%s->b < %s->b);\n", l, r, l, r);
        else
            printf("    return ((long)*%s / 8 > (long)*%s / 8) - ((long)*%s / 8 < (long)*%s / 8);\n", l, r, l, r);
        break;
    default:
        printf("    return (int)%s%s%s - (int)%s%s%s;\n", deref, l, k, deref, r, k);
        break;
    }
    printf("}\n");
}

static void sort(void)
{
    static const char *const types[] = {"float", "double", "int", "long long", "unsigned", "short", "unsigned char"};
    bool record = pick(3) == 0, index = !record && pick(4) == 0;
    int t = pick(7);
    const char *type = record ? "rec" : types[t];
    printf("#include <stdlib.h>\n");
    if (record)
        printf("typedef struct { %s a; %s b;%s } rec;\n", types[t], ONE_OF("int", "short", "unsigned char"),
               ONE_OF("", " double c;", " char d[5];"));
    if (index) {
        printf("static const %s *keys;\nstatic int order(const void *p, const void *q)\n{\n    int i = *(const int "
               "*)p, j = *(const int *)q;\n",
               type);
        printf("    if (keys[i] %s keys[j]) return -1;\n    if (keys[j] %s keys[i]) return 1;\n    return %s;\n}\n",
               "<", "<", ONE_OF("0", "i - j", "j - i"));
        printf("#pragma regraph size(n=%d) size(n=%d)\nvoid by_index(const %s *key, int *place, int n)\n{\n",
               40 + pick(6000), 1 + pick(60), type);
        printf("    for (int i = 0; i < n; i++) place[i] = %s;\n    keys = key;\n    qsort(place, n, sizeof *place, "
               "order);\n}\n",
               ONE_OF("i", "n - 1 - i"));
        return;
    }
    comparison(type, record, !record && t >= 5);
    const char *size = ONE_OF("sizeof *v", "sizeof(v[0])"), *f = ONE_OF("order", "&order"), *whole = record ? ".a" : "";
    switch (pick(5)) {
    case 0:
        printf("#pragma regraph size(n=%d) size(n=%d)\nvoid all(%s *v, int n) { qsort(v, n, %s, %s); }\n",
               100 + pick(9000), pick(20) + 1, type, size, f);
        break;
    case 1:
        printf("#pragma regraph size(n=%d,lo=%d) size(n=%d,lo=2)\nvoid part(%s *v, int n, int lo)\n{\n    qsort(%s, n "
               "- lo, %s, %s);\n    if (n > 4) qsort(v, lo, %s, %s);\n}\n",
               100 + pick(5000), 1 + pick(90), 3 + pick(9), type, pick(2) ? "v + lo" : "&v[lo]", size, f, size, f);
        break;
    case 2:
        printf("#pragma regraph size(n=%d,m=%d) size(n=3,m=%d)\nvoid rows(%s *v, %s *first, int n, int m)\n{\n    for "
               "(int r = 0; r < n; r++) {\n",
               5 + pick(60), 2 + pick(400), 30 + pick(2500), type, types[t]);
        if (pick(2)) printf("        for (int c = 0; c < m; c++) v[r * m + c]%s += (%s)(c %% 3);\n", whole, types[t]);
        printf("        qsort(v + r * m, m, %s, %s);\n", size, f);
        if (pick(2)) printf("        first[r] = v[r * m]%s;\n", whole);
        printf("    }\n    for (int r = 0; r < n; r++) first[r] = v[r * m + m - 1]%s;\n}\n", whole);
        break;
    case 3:
        printf("#pragma regraph size(n=%d,t=3) size(n=%d,t=2)\nvoid rounds(%s *v, int n, int t)\n{\n    for (int k = "
               "0; k < t; k++) {\n",
               50 + pick(4000), 1 + pick(40), type);
        printf("        qsort(v, n, %s, %s);\n        for (int i = 0; i < n; i++) v[i]%s = (%s)(v[i]%s + (%s)((i + k) "
               "%% 5));\n    }\n}\n",
               size, f, whole, types[t], whole, types[t]);
        break;
    default:
        printf("#pragma regraph size(n=%d) size(n=%d) extent(v: n)\nint kept(const %s *w, %s *v, int n)\n{\n    int m "
               "= 0;\n",
               60 + pick(5000), 2 + pick(50), type, type);
        printf("    for (int i = 0; i < n; i++)\n        if (w[i]%s > 0) v[m++] = w[i];\n    qsort(v, m, %s, %s);\n    "
               "return m;\n}\n",
               whole, size, f);
    }
}

/* ---- powers of two ---- */

static const char *value(const char *a, const char *b)
{
    static char text[4][96];
    static int at;
    char *s = text[at++ % 4];
    switch (pick(5)) {
    case 0:
        snprintf(s, sizeof text[0], "%s + %s", a, b);
        break;
    case 1:
        snprintf(s, sizeof text[0], "%s - %s", a, b);
        break;
    case 2:
        snprintf(s, sizeof text[0], "%s * 3u + (%s ^ 5u)", a, b);
        break;
    case 3:
        snprintf(s, sizeof text[0], "(%s ^ %s) + 1u", a, b);
        break;
    default:
        snprintf(s, sizeof text[0], "%s", b);
        break;
    }
    return s;
}

static void pair(const char *lo, const char *hi, const char *extra)
{
    if (pick(2)) {
        printf("unsigned p = x[%s], q = x[%s]%s; x[%s] = %s; x[%s] = %s;", lo, hi, extra, lo, value("p", "q"), hi,
               value("q", "p"));
    } else {
        printf("x[%s] %s x[%s]%s;", lo, ONE_OF("+=", "^=", "-="), hi, extra);
        if (pick(2)) printf(" x[%s] = 9u;", hi);
    }
}

static void powers(void)
{
    bool up = pick(2), odd = pick(6) == 0, carried = pick(6) == 0, outside = pick(3) == 0;
    int form = pick(5);
    const char *first = up ? (odd ? "3" : "1") : odd ? "n / 2 - 1" : "n / 2";
    const char *step = up ? ONE_OF("h *= 2", "h <<= 1", "h = h * 2", "h = 2 * h")
                          : ONE_OF("h /= 2", "h >>= 1", "h = h / 2", "h = h >> 1");
    const char *cond = up ? ONE_OF("h < n", "n > h") : ONE_OF("h > 0", "h >= 1");
    bool safe = odd || pick(4) == 0; /* says itself that it stays inside */
    bool along = false;
    int shift = pick(6) == 0;        /* looks like pairs, and is not: neighbours meet */
    char hi[64], guard[64] = "", extra[48];
    snprintf(extra, sizeof extra, "%s", carried ? " + s" : ONE_OF("", " + w[h]", " + (unsigned)h", ""));
    printf("#pragma regraph size(n=%d) size(n=%d) size(n=2) %s\n", 64 << pick(5), 4 << pick(3),
           safe && (form == 2 || form == 4) ? "size(n=77)" : "");
    printf("#pragma regraph extent(x: n) extent(w: n) extent(y: n) extent(last: 1)\n");
    printf("void rounds(unsigned *x, const unsigned *w, unsigned *y, unsigned *last, int n)\n{\n    unsigned s = 1;\n");
    if (outside) printf("    int h, i = 0, j = 0;\n");
    const char *decl = outside ? "" : "int ";
    if (pick(4) == 0 && !outside)
        printf("    int h = %s;\n    while (%s) {\n", first, cond), outside = false, decl = "int ";
    else if (outside)
        printf("    for (h = %s; %s; %s) {\n", first, cond, step), step = NULL;
    else
        printf("    for (int h = %s; %s; %s) {\n", first, cond, step), step = NULL;
    switch (form) {
    case 0: /* blocks, then inside */
    case 1:
        snprintf(hi, sizeof hi, "i + j + h%s", shift ? " - 1 + (h == 1)" : "");
        if (safe) snprintf(guard, sizeof guard, "if (i + j + h < n) ");
        along = form == 0 && pick(4) == 0; /* a factor that runs along the inner loop */
        if (along) snprintf(extra, sizeof extra, " + a%s", carried ? " + s" : "");
        if (form == 0)
            printf("        for (%si = 0; i < n; i += 2 * h) {%s\n            for (%sj = 0; j < h; j++) ", decl,
                   along ? " unsigned a = 1;" : "", decl);
        else
            printf("        for (%sj = 0; j < h; j++)\n            for (%si = 0; i < n; i += 2 * h) ", decl, decl);
        printf("%s{ ", guard);
        pair("i + j", hi, extra);
        if (carried) printf(" s = s * 3u + x[i + j];");
        if (along) printf(" a = a * 5u + 3u;");
        printf(form == 0 ? " } }\n" : " }\n");
        break;
    case 2: /* one loop */
        printf("        for (%si = 0; i + h < n; i += %s) { ", decl, shift ? "h" : "2 * h");
        pair("i", "i + h", extra);
        if (carried) printf(" s += x[i];");
        printf(" }\n");
        break;
    case 3: /* up a tree, by the ends of blocks */
        printf("        for (%si = 0; i < n; i += 2 * h) %s{ ", decl, safe ? "if (i + 2 * h - 1 < n) " : "");
        pair("i + h - 1", "i + 2 * h - 1", extra);
        printf(" }\n");
        break;
    default: /* a bound that goes by h */
        printf("        for (%si = 0; i < h; i++) if (i + h < n) { ", decl);
        pair("i", shift ? "i + h - (i > 0)" : "i + h", extra);
        if (carried) printf(" s ^= x[i];");
        printf(" y[i] = x[i + h] + %s; }\n", ONE_OF("1u", "x[i]", "(unsigned)h"));
    }
    if (step) printf("        %s;\n", step);
    printf("    }\n");
    printf("    *last = s%s;\n}\n", outside && pick(2) ? (form == 0 || form == 1 ? " + (unsigned)(n > 2 ? i + j : 0)"
                                                                                 : " + (unsigned)(n > 2 ? i : 0)")
                                                       : "");
}

int main(int argc, char **argv)
{
    state = (argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1) * 2654435761u + 88172645u;
    for (int i = 0; i < 8; i++) pick(7);
    if (pick(2))
        sort();
    else
        powers();
    return 0;
}
