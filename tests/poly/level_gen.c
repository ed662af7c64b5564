/* Writes one random C function over levels: level_gen SEED. A length gets smaller from round to round (halves, rounded up or
 * down, three quarters, less by a number), at the end of a round or amid it, and loops go by it and by what is computed of
 * it; places are beside or behind one another by parts of it, in place or by a scratch array, so that some rounds are
 * parallel and others are not. Or: each row keeps a short sorted list of what is found, which may also spill into the next
 * row. All numbers are integers, so that every order of the work gives the same. */
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

static const char *any(const char *const *list, int n)
{
    return list[pick(n)];
}
#define ANY(...) any((const char *const[]){__VA_ARGS__}, (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)))

/* ---- levels ---- */

static const char *upper, *part; /* of the loop that is written */

static void store(void)
{
    char at[64];
    const char *to = ANY("a", "b", "b"), *from = to[0] == 'a' ? "b" : "a";
    if (!pick(6)) from = to;
    switch (pick(7)) {
    case 0: snprintf(at, sizeof at, "i + %s", part); break;
    case 1: snprintf(at, sizeof at, "cur - 1 - i"); break;
    case 2: snprintf(at, sizeof at, "2 * i + %d", pick(2)); break;
    default: snprintf(at, sizeof at, "i"); break;
    }
    printf("            %s[%s] = (", to, at);
    switch (pick(5)) {
    case 0: printf("%s[i] * 3 + %s[i + %s]", from, from, part); break;
    case 1: printf("%s[2 * i] - %s[2 * i + 1]", from, from); break;
    case 2: printf("2 * i + 2 < cur ? %s[2 * i + 2] : %s[2 * i]", from, from); break;
    case 3: printf("%s[(i < %s ? i : %s) + 1] + cur", from, part, part); break;
    default: printf("%s[i] + %d * %s[cur - 1 - i]", from, 1 + pick(5), from); break;
    }
    printf(") & 4095;\n");
}

static void loop(void)
{
    upper = ANY("half", "half", "cur / 2", "cur", "2 * half", "cur - half");
    if (upper[0] == '2' || (upper[0] == 'c' && !upper[3])) part = "1";
    printf("        for (int i = %s; i < %s; i++) {\n", pick(5) ? "0" : "1", upper);
    if (!pick(4)) printf("            if (%s) continue;\n", ANY("i % 3 == 1", "a[i] > 2000", "i + half >= cur"));
    for (int k = 1 + pick(2); k > 0; k--) store();
    printf("        }\n");
    part = "half";
}

static const char *smaller(void)
{
    return ANY("cur / 2", "(cur + 1) / 2", "half", "cur - cur / 3 - 1", "cur * 3 / 4", "cur >> 1");
}

static void levels(void)
{
    const char *next = smaller(), *start = ANY("n", "n", "n - 1", "n / 2 + 1");
    int way = pick(3), amid = !pick(4);
    printf("#pragma regraph size(n=%d,levels=%d) size(n=37,levels=3) size(n=8,levels=4)\n", 3000 + pick(2000), 2 + pick(4));
    printf("void f(int n, int levels, int a[2 * n + 8], int b[2 * n + 8])\n{\n    int cur = %s;\n", start);
    if (way == 0) printf("    for (int l = 0; l < levels; l++) {\n");
    if (way == 1) printf("    for (int l = 0; l < levels && cur > %d; l++) {\n", 1 + pick(3));
    if (way == 2) printf("    while (cur > %d) {\n", 3 + pick(9));
    printf("        int half = %s;\n", ANY("cur / 2", "(cur + 1) / 2", "cur - cur / 2"));
    part = "half";
    for (int k = 1 + pick(3); k > 0; k--) {
        loop();
        if (amid && k == 2) printf("        cur = %s;\n", next);
        amid = amid && k > 2;
    }
    printf("        cur = %s;\n    }\n}\n", next);
}

/* ---- lists ---- */

static void lists(void)
{
    int spill = !pick(4), falls = pick(2);
    const char *s = falls ? "<" : ">";
    printf("#pragma regraph size(rows=%d,m=%d,k=%d) size(rows=5,m=9,k=3) size(rows=3,m=4,k=1)\n", 300 + pick(200), 40 + pick(60), 4 + pick(5));
    printf("void f(int rows, int m, int k, const int x[rows][m], int best[rows * k + 8], int where[rows * k + 8])\n{\n");
    printf("    for (int r = 0; r < rows; r++) {\n        int have = 0;\n");
    if (pick(2)) printf("        for (int j = 0; j < k; j++) best[r * k + j] = where[r * k + j] = -1;\n");
    printf("        for (int j = 0; j < m; j++) {\n            int v = x[r][j] & 255, at;\n");
    if (!pick(3)) printf("            if (v %% 5 == 0) continue;\n");
    const char *most = spill ? "k + 1" : "k", *last = spill ? "k" : "k - 1";
    switch (pick(4)) {
    case 0:
        printf("            if (have == %s && !(best[r * k + have - 1] %s v)) continue;\n", most, s);
        printf("            if (have < %s) { at = have; have++; } else at = have - 1;\n", most);
        break;
    case 1:
        printf("            if (have < %s) have++;\n            else if (!(best[r * k + %s] %s v)) continue;\n            at = have - 1;\n", most, last, s);
        break;
    case 2:
        printf("            if (have >= %s && !(best[r * k + %s] %s v)) continue;\n", most, last, s);
        printf("            at = have < %s ? have++ : have - 1;\n", most);
        break;
    default:
        printf("            if (have < %s) at = have++;\n            else { if (!(best[r * k + have - 1] %s v)) continue; at = have - 1; }\n", most, s);
        break;
    }
    if (pick(2)) {
        printf("            while (at > 0 && best[r * k + at - 1] %s v) {\n", s);
        printf("                best[r * k + at] = best[r * k + at - 1];\n                where[r * k + at] = where[r * k + at - 1];\n                at--;\n            }\n");
    } else {
        printf("            for (; at >= 1 && best[r * k + at - 1] %s v; --at) {\n", s);
        printf("                best[r * k + at] = best[r * k + at - 1];\n                where[r * k + at] = where[r * k + at - 1];\n            }\n");
    }
    printf("            best[r * k + at] = v;\n            where[r * k + at] = j;\n        }\n");
    if (pick(2)) printf("        for (; have < k; have++) { best[r * k + have] = -1; where[r * k + have] = -1; }\n");
    printf("    }\n}\n");
}

int main(int argc, char **argv)
{
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    if (pick(3)) levels();
    else lists();
    return 0;
}
