/* place_gen SEED: a random C function on stdout that places elements by counters, up or down, in loops, nests and rows
 * that data bound, or that only looks as if it did. Counters run into one another's places, so that who comes last
 * shows. */
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

static bool down;

/* What an iteration does with element e, whose key is `key`. */
static void body(const char *e, const char *key, const char *pad)
{
    const char *value = ONE_OF("v[%s]", "(int)%s", "v[%s] + key[%s] %% 3"), *op = down ? "--" : "++";
    char text[64];
    snprintf(text, sizeof text, value, e, e);
    int how = pick(7);
    bool two = pick(2), miss = pick(8) == 0, narrow = pick(6) == 0;
    if (pick(3) == 0)
        printf("%sif (%s) {\n", pad,
               ONE_OF("key[i] > 3", "v[i] % 2 == 0", miss ? "next[key[i]] > 0" : "(key[i] & 5) != 5"));
    else
        printf("%s{\n", pad);
    const char *last = two ? ONE_OF("p", "p + 1", "n + p") : "p";
    switch (how) {
    case 0:
        printf("%s    out[%snext[%s]%s] = %s;\n", pad, pick(2) ? "" : "1 + ", key, op, text);
        two = false;
        break;
    case 1:
        printf("%s    out[%snext[%s]] = %s;\n", pad, op, key, text);
        two = false;
        break;
    case 2:
        printf("%s    %s p = next[%s]%s;\n%s    out[p] = %s;\n", pad, narrow ? "short" : "int", key, op, pad, text);
        break;
    case 3:
        printf("%s    out[next[%s]] = %s;\n%s    next[%s]%s;\n", pad, key, text, pad, key, op);
        two = false;
        break;
    case 4:
        printf("%s    int b = %s;\n%s    next[b] %s= 1;\n%s    int p = next[b];\n%s    out[p] = %s;\n", pad, key, pad,
               down ? "-" : "+", pad, pad, text);
        break;
    case 5:
        printf("%s    int p = next[%s];\n%s    next[%s] = p %s 1;\n%s    out[p] = %s;\n", pad, key, pad, key,
               down ? "-" : "+", pad, text);
        break;
    default:
        printf("%s    int p = %snext[%s];\n%s    out[2 * p] = %s;\n%s    out[2 * p + %d] = p;\n", pad, op, key, pad,
               text, pad, pick(4) ? 1 : 2);
        break;
    }
    if (two) printf("%s    far[%s] = %s;\n", pad, last, ONE_OF("i", "p", "key[i]", "2 * i - 1"));
    if (miss) printf("%s    %s;\n", pad, ONE_OF("next[1]++", "s += next[2]", "s += out[3]"));
    printf("%s}\n", pad);
}

int main(int argc, char **argv)
{
    state = (argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1) * 2654435761u + 88172645u;
    for (int i = 0; i < 8; i++) pick(7);
    int form = pick(5);
    const char *counts = ONE_OF("int", "unsigned", "long"), *counter = ONE_OF("int", "long", "unsigned", "size_t");
    down = pick(2);
    printf("#include <stddef.h>\n");
    printf("#pragma regraph size(n=900) size(n=40) size(n=1) extent(key: n) extent(v: n) extent(next: 16) extent(out: "
           "8 * n "
           "+ 400) extent(far: 8 * n + 400) extent(start: n + 1)\n");
    printf(
        "#pragma regraph input(key: uniform(0, 15)) input(v: uniform(0, 99)) input(next: uniform(0, 40)) input(start: "
        "%s)\n",
        pick(4) ? "prefix(n)" : "uniform(0, n)");
    printf("#pragma regraph input(out: uniform(0, 9)) input(far: uniform(0, 9))\n");
    printf("int place(int n, const int *start, const int *key, const int *v, %s *next, int *out, int *far)\n{\n    int "
           "s = "
           "0;\n",
           counts);
    if (down) printf("    for (int b = 0; b < 16; b++) next[b] += n + 2;\n");
    switch (form) {
    case 0:
        printf("    for (%s i = 0; i < (%s)n; i++)\n", counter, counter);
        body("i", "key[i]", "    ");
        break;
    case 1:
        printf(pick(2) ? "    for (int i = n - 1; i >= 0; i--)\n" : "    for (size_t i = n; i-- > 0;)\n");
        body("i", pick(2) ? "key[i]" : "(key[i] ^ 1)", "    ");
        break;
    case 2:
        printf("    for (int r = 0; r < n / 4; r++)\n        for (int c = %s) {\n            int i = 4 * r + c;\n",
               pick(2) ? "0; c < 4; c++" : "3; c >= 0; c--");
        body("i", "key[i]", "            ");
        printf("        }\n");
        break;
    case 3:
        printf("    for (int i = 0; i < n; i++) s += key[i];\n");
        printf("    for (int r = 0; r < n && r < 300; r++)\n        for (%s i = start[r]; i < (%s)start[r + 1] && i < "
               "(%s)start[r] + 8; i++) {\n",
               counter, counter, counter);
        body("i", "key[i]", "            ");
        printf("        }\n");
        break;
    default:
        printf("    for (int t = 0; t < 3; t++) {\n        for (int i = %s)\n",
               pick(2) ? "0; i < n; i++" : "n - 1; i >= 0; i--");
        body("i", pick(2) ? "(key[i] >> t) & 7" : "(key[i] + t) & 15", "        ");
        printf("        for (int b = 0; b < 16; b++) next[b] = (next[b] * 7 + b) %% 40 + %s;\n", down ? "n + 2" : "0");
        printf("    }\n");
    }
    printf("    return s;\n}\n");
    return 0;
}
