/* Writes one random C program whose public entry parks its arguments in file-scope state and works on memory that helpers
 * allocate: state_gen SEED. Styles of people: file-scope pointers, a static structure, a context behind a pointer, a handle
 * that a helper returns, an array of structures; memory by malloc, by wrappers of it, through pointers to pointers, row by
 * row, carved from one block, grown on demand; setups that return codes; tables made at the first call; buffers that take
 * turns, pointers that are chosen. All numbers are integers, so that every order of the work gives the same. */
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

enum store { POINTERS, STRUCTURE, CONTEXT, HANDLE, LEVELS, N_STORES };
enum memory { PLAIN, WRAPPED, MADE, BY_ADDRESS, CARVED, GROWN, N_MEMORIES };

static enum store store;
static enum memory memory;
static bool codes, rows, table, named_size; /* named_size: the number of elements is part of the state, too */

/* A member of the state, as an expression. */
static const char *of(const char *name)
{
    static char text[8][64];
    static int k;
    char *t = text[k++ % 8];
    int level = name[0] == 'a' ? 0 : name[0] == 'b' ? 1 : 2;
    switch (store) {
    case POINTERS: snprintf(t, 64, "g_%s", name); break;
    case STRUCTURE: snprintf(t, 64, "st.%s", name); break;
    case CONTEXT: snprintf(t, 64, "ctx->%s", name); break;
    case HANDLE: snprintf(t, 64, "h->%s", name); break;
    default:
        if (name[1]) snprintf(t, 64, "g_%s", name);
        else snprintf(t, 64, "lev[%d].v", level);
        break;
    }
    return t;
}

static const char *size(void)
{
    return named_size ? of("len") : "n";
}

/* The parameters every helper has, and what they are called with. */
static const char *takes(void)
{
    return store == HANDLE ? named_size ? "struct state *h" : "struct state *h, int n"
           : named_size    ? "void"
                           : "int n";
}

static const char *with(void)
{
    return store == HANDLE ? named_size ? "h" : "h, n" : named_size ? "" : "n";
}

static void declare(void)
{
    const char *members = "    int len, mode;\n    int *a, *b, *c;\n    const int *in;\n";
    switch (store) {
    case POINTERS: printf("static int g_len, g_mode;\nstatic int *g_a, *g_b, *g_c;\nstatic const int *g_in;\n"); break;
    case STRUCTURE: printf("static struct {\n%s} st;\n", members); break;
    case CONTEXT: printf("struct state {\n%s};\nstatic struct state the_state;\nstatic struct state *ctx;\n", members); break;
    case HANDLE: printf("struct state {\n%s};\n", members); break;
    default:
        printf("struct level {\n    int count;\n    int *v;\n};\nstatic struct level lev[3];\nstatic int g_len, g_mode;\nstatic const "
               "int *g_in;\n");
        break;
    }
    if (rows) printf("static int **mat;\n");
    if (table) printf("static int ready;\nstatic int weights[16];\n");
    if (memory == GROWN) printf("static int room;\n");
}

static void helpers(void)
{
    if (memory == WRAPPED)
        printf("static void *grab(size_t bytes)\n{\n    void *p = malloc(bytes);\n    if (%s) exit(1);\n    return p;\n}\n",
               pick(2) ? "!p" : "p == NULL");
    if (memory == MADE)
        printf("static int *fresh(int count)\n{\n    int *p = %s;\n%s    return p;\n}\n",
               pick(2) ? "calloc(count, sizeof *p)" : "(int *)malloc(sizeof(int) * count)",
               pick(2) ? "    if (!p) return NULL;\n" : "");
    if (memory == BY_ADDRESS)
        printf("static int get(int **p, int count)\n{\n    *p = malloc(count * sizeof(int));\n    return *p ? 0 : -1;\n}\n");
    if (rows)
        printf("static int **new_rows(int r, int c)\n{\n    int **m = malloc(r * sizeof(int *));\n    for (int i = 0; i < r; i++) m[i] = "
               "%s;\n    return m;\n}\nstatic void free_rows(int **m, int r)\n{\n    for (int i = 0; i < r; i++) free(m[i]);\n    "
               "free(m);\n}\n",
               pick(2) ? "malloc(c * sizeof(int))" : "(int *)calloc(c, sizeof **m)");
    if (table)
        printf("static void make_weights(void)\n{\n    for (int k = 0; k < 16; k++) weights[k] = k * %d %% 17;\n%s}\n", 3 + pick(9),
               pick(2) ? "    ready = 1;\n" : "");
}

static void allocate(const char *name)
{
    const char *p = of(name);
    switch (memory) {
    case PLAIN: printf("    %s = malloc(n * sizeof(int));\n", p); break;
    case WRAPPED: printf("    %s = grab(n * sizeof *%s);\n", p, p); break;
    case MADE: printf("    %s = fresh(n);\n", p); break;
    case BY_ADDRESS:
        if (codes) printf("    if (get(&%s, n)) return -2;\n", p);
        else printf("    get(&%s, n);\n", p);
        break;
    case GROWN: printf("    if (n > room) %s = malloc(n * sizeof(int));\n", p); break;
    default: break;
    }
}

static void setup(void)
{
    bool handle = store == HANDLE;
    printf("static %s setup(int n, int mode, const int *in%s)\n{\n", handle ? "struct state *" : codes ? "int " : "void",
           memory == CARVED ? ", int *work" : "");
    if (handle) printf("    struct state *h = malloc(sizeof *h);\n");
    else if (codes && pick(2)) printf("    if (n < 4) return -1;\n");
    if (handle && pick(2)) printf("    if (!h) return NULL;\n");
    if (store == CONTEXT) printf("    ctx = &the_state;\n");
    printf("    %s = n;\n    %s = mode;\n    %s = in;\n", of("len"), of("mode"), of("in"));
    if (memory == CARVED) {
        printf("    %s = work;\n    %s = work + n;\n    %s = work + 2 * n;\n", of("a"), of("b"), of("c"));
    } else {
        allocate("a");
        allocate("b");
        allocate("c");
    }
    if (memory == GROWN) printf("    room = n;\n");
    if (store == LEVELS && pick(2)) printf("    for (int l = 0; l < 3; l++) lev[l].count = n - l;\n");
    if (rows) printf("    mat = new_rows(n / 4, 4);\n");
    if (handle) printf("    return h;\n");
    else if (codes) printf("    return 0;\n");
    printf("}\n");
}

static int n_steps;

static void step(void)
{
    const char *const names[] = {"a", "b", "c"};
    int x = pick(3), y = (x + 1 + pick(2)) % 3;
    const char *p = of(names[x]), *q = of(names[y]), *len = size();
    printf("static void step%d(%s)\n{\n", n_steps++, takes());
    switch (pick(table ? 8 : 7)) {
    case 0: printf("    for (int i = 0; i < %s; i++) %s[i] = (%s[i] * %d + i) & 4095;\n", len, p, q, 3 + pick(9)); break;
    case 1:
        printf("    for (int i = 1; i < %s - 1; i++) %s[i] = (%s[i - 1] + %s[i + 1] + %d) & 4095;\n", len, p, q, q, pick(50));
        break;
    case 2: /* a pointer that walks */
        printf("    int *to = %s;\n    const int *from = %s, *end = %s + %s;\n    while (from %s end) *to++ = (*from++ + %d) & 4095;\n", p, q, q,
               len, pick(2) ? "<" : "!=", pick(99));
        break;
    case 3: /* a pointer that is chosen */
        printf("    int *to;\n    if (%s > 2) to = %s;\n    else to = %s;\n    for (int i = 0; i < %s; i++) to[i] = (to[i] + i) & 4095;\n",
               of("mode"), p, q, len);
        break;
    case 4: /* elements of the entry's own argument, by a row pointer */
        printf("    for (int i = 0; i + 4 <= %s; i += 4) {\n        const int *row = %s + i;\n        for (int k = 0; k < 4; k++) %s[i + k] = "
               "(row[3 - k] + %s[i + k]) & 4095;\n    }\n",
               len, of("in"), p, q);
        break;
    case 5:
        if (rows)
            printf("    for (int i = 0; i < %s / 4; i++)\n        for (int k = 0; k < 4; k++) mat[i][k] = %s[4 * i + k] + k;\n    for (int i = 0; i < "
                   "%s / 4; i++) %s[i] = (mat[i][0] + mat[i][3] * 2) & 4095;\n",
                   len, p, len, q);
        else
            printf("    int total = 0;\n    for (int i = 0; i < %s; i++) total += %s[i];\n    for (int i = 0; i < %s; i++) %s[i] = (%s[i] + total) & "
                   "4095;\n",
                   len, p, len, q, q);
        break;
    case 6: printf("    for (int i = 0; i < %s; i++) %s[i] = %s[%s - 1 - i] ^ %d;\n", len, p, q, len, pick(64)); break;
    default: printf("    for (int i = 0; i < %s; i++) %s[i] = (%s[i] + weights[%s[i] & 15]) & 4095;\n", len, p, q, q); break;
    }
    printf("}\n");
}

static void turn(void)
{
    printf("static void turn(%s)\n{\n", takes());
    if (pick(2)) printf("    int *t = %s;\n    %s = %s;\n    %s = t;\n", of("a"), of("a"), of("b"), of("b"));
    else printf("    int *t = %s;\n    %s = %s;\n    %s = %s;\n    %s = t;\n", of("a"), of("a"), of("b"), of("b"), of("c"), of("c"));
    printf("}\n");
}

static void release(void)
{
    if (memory == CARVED || memory == GROWN) {
        if (store == HANDLE) printf("    free(h);\n");
    } else if (pick(2)) {
        printf("    free(%s);\n    free(%s);\n    free(%s);\n", of("a"), of("b"), of("c"));
        if (store == HANDLE) printf("    free(h);\n");
    }
    if (rows && pick(2)) printf("    free_rows(mat, n / 4);\n");
}

int main(int argc, char **argv)
{
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) * 104729 : 1;
    store = (enum store)pick(N_STORES);
    memory = (enum memory)pick(N_MEMORIES);
    if (memory == GROWN && store == HANDLE) memory = PLAIN;
    codes = store != HANDLE && pick(2);
    rows = pick(3) == 0;
    table = pick(3) == 0;
    named_size = pick(2);
    bool turns = pick(2), work = memory == CARVED;
    printf("#include <stdlib.h>\n#pragma regraph size(n=%d, mode=3, rounds=%d) require(n %% 4 == 0) require(n >= 8)\n", 400 + 4 * pick(500), 2 + pick(4));
    printf("#pragma regraph input(in: uniform(0, 4095))%s\n", work ? " extent(work: 3 * n) role(work: inout)" : "");
    declare();
    helpers();
    setup();
    int steps = 2 + pick(3);
    for (int k = 0; k < steps; k++) step();
    if (turns) turn();
    printf("int entry(int n, int mode, int rounds, const int *in%s, int *out)\n{\n", work ? ", int *work" : "");
    if (table) printf("    if (!ready) %s\n", pick(2) ? "make_weights();" : "{ make_weights(); ready = 1; }");
    const char *args = work ? "n, mode, in, work" : "n, mode, in";
    if (store == HANDLE) printf("    struct state *h = setup(%s);\n", args);
    else if (codes && pick(2)) printf("    int rc = setup(%s);\n    if (rc != 0) return rc;\n", args);
    else if (codes) printf("    if (setup(%s) < 0) return -1;\n", args);
    else printf("    setup(%s);\n", args);
    printf("    for (int i = 0; i < n; i++) {\n        %s[i] = in[i];\n        %s[i] = in[n - 1 - i] & 255;\n        %s[i] = i & 1023;\n    }\n", of("a"), of("b"),
           of("c"));
    printf("    for (int r = 0; r < rounds; r++) {\n");
    for (int k = 0; k < steps; k++) printf("        step%d(%s);\n", k, with());
    if (turns) printf("        turn(%s);\n", with());
    printf("    }\n    for (int i = 0; i < n; i++) out[i] = %s[i] + %s[i] * 3 + %s[i] * 7 + in[i];\n", of("a"), of("b"), of("c"));
    release();
    printf("    return rounds;\n}\n");
    return 0;
}
