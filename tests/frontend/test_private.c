/* Array privatisation: which local arrays move into the loop whose iterations fill them first, and which must not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <rg/frontend.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *what, *declared, *body; /* the array is `w`, of k elements; of an iteration of the loop over r */
    bool moves;
#define NEXT "} for (int r = 0; r < rows; r++) { " /* of one more loop */
} cases[] = {
    {"filled, then led by data", "int *w = malloc(k * sizeof(int))",
     "for (int i = 0; i < k; i++) w[i] = 0; for (int c = 0; c < m; c++) w[x[r][c]]++; y[r] = w[k - 1];", true},
    {"filled, then behind a while", "int *w = malloc(k * sizeof(int))",
     "for (int i = 0; i < k; i++) w[i] = i; int p = x[r][0]; while (w[p] < r) { w[p] += 3; p = p / 2; } y[r] = w[p];",
     true},
    {"a few elements, which a thread sorts", "int *w = malloc(k * sizeof(int))",
     "for (int i = 0; i < k; i++) w[i] = x[r][i % m]; qsort(w, k, sizeof(int), up); y[r] = w[x[r][0]];", true},
    {"its first element stays", "int *w = calloc(k, sizeof(int))",
     "for (int i = 1; i < k; i++) w[i] = 0; for (int c = 0; c < m; c++) w[x[r][c]]++; y[r] = w[k - 1];", false},
    {"its last element stays", "int *w = calloc(k, sizeof(int))",
     "for (int i = 0; i < k - 1; i++) w[i] = 0; for (int c = 0; c < m; c++) w[x[r][c]]++; y[r] = w[0];", false},
    {"the fill ends early", "int *w = calloc(k, sizeof(int))",
     "for (int i = 0; i < k; i++) { if (x[r][0] == i) break; w[i] = 0; }"
     "for (int c = 0; c < m; c++) w[x[r][c]]++; y[r] = w[k - 1];",
     false},
    {"the fill leaves some out", "int *w = calloc(k, sizeof(int))",
     "for (int i = 0; i < k; i++) { if (x[r][0] == i) continue; w[i] = 0; }"
     "for (int c = 0; c < m; c++) w[x[r][c]]++; y[r] = w[k - 1];",
     false},
    {"filled perhaps", "int *w = calloc(k, sizeof(int))",
     "if (x[r][0] > 1) for (int i = 0; i < k; i++) w[i] = 0; for (int c = 0; c < m; c++) w[x[r][c]]++; y[r] = w[0];",
     false},
    {"read first", "int *w = calloc(k, sizeof(int))",
     "y[r] = w[x[r][0]]; for (int i = 0; i < k; i++) w[i] = 0; for (int c = 0; c < m; c++) w[x[r][c]]++;", false},
    {"every member", "struct s *w = malloc(k * sizeof *w)",
     "for (int i = 0; i < k; i++) { w[i].a = 0; w[i].b = i; } for (int c = 0; c < m; c++) w[x[r][c]].a++;"
     "y[r] = w[k - 1].a + w[0].b;",
     true},
    {"one member of two", "struct s *w = calloc(k, sizeof *w)",
     "for (int i = 0; i < k; i++) w[i].a = 0; for (int c = 0; c < m; c++) { w[x[r][c]].a++; w[x[r][c]].b++; }"
     "y[r] = w[k - 1].a + w[0].b;",
     false},
    {"one member, read as a whole", "struct s *w = calloc(k, sizeof *w)",
     "for (int i = 0; i < k; i++) w[i].a = 0; for (int c = 0; c < m; c++) { w[x[r][c]] = w[0]; }"
     "y[r] = w[k - 1].a;",
     false},
    {"one member, the other never read", "struct s *w = malloc(k * sizeof *w)",
     "for (int i = 0; i < k; i++) w[i].a = 0; for (int c = 0; c < m; c++) { w[x[r][c]].a++; w[x[r][c]].b = c; }"
     "y[r] = w[k - 1].a;",
     true},
    {"a row as long as data say, from its left neighbour", "int *w = malloc(k * sizeof(int))",
     "w[0] = r; for (int j = 1; j < len[r]; j++) w[j] = w[j - 1] + x[r][j % m]; for (int j = 0; j < len[r]; j++) y[r] "
     "+= w[j];",
     true},
    {"a row from its right neighbour", "int *w = calloc(k, sizeof(int))",
     "w[0] = r; for (int j = 1; j < len[r]; j++) w[j] = w[j + 1] + x[r][j % m]; y[r] = w[0];", false},
    {"a row of which the first is missing", "int *w = calloc(k, sizeof(int))",
     "for (int j = 1; j < len[r]; j++) w[j] = w[j - 1] + x[r][j % m]; y[r] = w[0];", false},
    {"filled up to another row's length", "int *w = calloc(k, sizeof(int))",
     "for (int j = 0; j < len[r]; j++) w[j] = r; for (int j = 0; j < len[r / 2]; j++) y[r] += w[j];", false},
    {"filled up to a length that changes", "int *w = calloc(k, sizeof(int))",
     "int l = x[r][0]; for (int j = 0; j < l; j++) w[j] = r; l = x[r][1]; for (int j = 0; j < l; j++) y[r] += w[j];",
     false},
    {"filled on both ways", "int w[2]",
     "if (x[r][0] > 1) { for (int i = 0; i < 2; i++) w[i] = r; } else { for (int i = 0; i < 2; i++) w[i] = m * i; }"
     "y[r] = w[x[r][1] & 1];",
     true},
    {"filled on one way of two", "int w[2] = {0}",
     "if (x[r][0] > 1) { for (int i = 0; i < 2; i++) w[i] = r; } else { for (int i = 1; i < 2; i++) w[i] = m * i; }"
     "y[r] = w[x[r][1] & 1];",
     false},
    {"listed, read up to the counter", "int w[16]",
     "int n = 0; for (int c = 0; c < m; c++) if (x[r][c] > 1) w[n++] = c; for (int i = 0; i < n; i++) y[r] += w[i];",
     true},
    {"listed on two ways, and once more", "int w[64]",
     "int n = 0; for (int c = 0; c < m; c++) { if (x[r][c] > 1) { w[n++] = c; w[n++] = r; } else w[n++] = 7; w[n++] = "
     "1; }"
     "for (int i = 0; i < n; i++) y[r] += w[i];",
     true},
    {"listed from the second place on", "int w[16] = {0}",
     "int n = 1; for (int c = 0; c < m; c++) if (x[r][c] > 1) w[n++] = c; for (int i = 0; i < n; i++) y[r] += w[i];",
     false},
    {"listed, one more is read", "int w[16] = {0}",
     "int n = 0; for (int c = 0; c < m; c++) if (x[r][c] > 1) w[n++] = c; for (int i = 0; i <= n; i++) y[r] += w[i];",
     false},
    {"listed, the last is read although there may be none", "int w[16] = {0}",
     "int n = 0; for (int c = 0; c < m; c++) if (x[r][c] > 1) w[n++] = c; y[r] += w[n / 2];", false},
    {"listed, the first is listed always", "int w[16]",
     "int n = 0; for (int c = 0; c < m; c++) if (c == 0 || x[r][c] > 1) w[n++] = c; y[r] += w[n / 2] + w[n - 1];",
     true},
    {"listed, the last is listed always", "int w[16]",
     "int n = 0; for (int c = 0; c < m; c++) if (c + 1 >= m || x[r][c] > 1) w[n++] = c; y[r] += w[0];", true},
    {"listed from the second round on", "int w[64] = {0}",
     "int a = 0, b = 0; for (int c = 0; c < m; c++) { if (a > 0) w[b++] = c; if (c == 0 || x[r][c] > 1) w[32 + a++] = "
     "1; }"
     "y[r] += w[b / 2];",
     false},
    {"counted by a condition", "int w[64] = {0}",
     "int n = 0, k = 0; while (k < m && n++ < 20) { if (x[r][k] > 1) w[n] = k; k++; } for (int i = 0; i < n; i++) y[r] "
     "+= w[i];",
     false},
    {"taken back and listed again", "int w[64]",
     "int n = 0; for (int c = 0; c < m; c++) { if (x[r][c] > 1) w[n++] = c; else if (n > 0) n--; }"
     "for (int i = 0; i < n; i++) y[r] += w[i];",
     false},
    {"begun again behind the first", "int w[64] = {0}",
     "int n = 0; for (int c = 0; c < m; c++) { if (x[r][c] == 3) n = 1; w[n++] = c; } for (int i = 0; i < n; i++) y[r] "
     "+= w[i];",
     false},
    {"another's length", "int w[64] = {0}",
     "int n = 0, k = 0; for (int c = 0; c < m; c++) { if (x[r][c] > 1) w[n++] = c; else k++; } for (int i = 0; i < k; "
     "i++) y[r] += w[i];",
     false},
    {"listed from either end", "int w[64] = {0}",
     "int n = 0, k = 63; for (int c = 0; c < m; c++) { if (x[r][c] > 1) w[n++] = c; else w[k--] = c; }"
     "for (int i = 0; i < n; i++) y[r] += w[i]; for (int i = 63; i >= k; i--) y[r] += w[i];",
     false},
    {"listed, the second is listed always, where there is one", "int w[16] = {0}",
     "int n = 0; for (int c = 0; c < m; c++) if (c == 1 || x[r][c] > 1) w[n++] = c; y[r] += w[0];", false},
    {"listed, one way counts and does not list", "int w[16] = {0}",
     "int n = 0; for (int c = 0; c < m; c++) { if (x[r][c] > 1) { w[n] = c; n++; } else n++; }"
     "for (int i = 0; i < n; i++) y[r] += w[i];",
     false},
    {"listed behind the counter", "int w[16] = {0}",
     "int n = 0; for (int c = 0; c < m; c++) if (x[r][c] > 1) { w[n + 1] = c; n++; } for (int i = 0; i < n; i++) y[r] "
     "+= w[i];",
     false},
    {"counted on by two for one", "int w[32] = {0}",
     "int n = 0; for (int c = 0; c < m; c++) if (x[r][c] > 1) { w[n] = c; n += 2; } for (int i = 0; i < n; i++) y[r] "
     "+= w[i];",
     false},
    {"the counter goes on from where data say", "int w[16] = {0}",
     "int n = x[r][0]; for (int c = 0; c < m; c++) if (x[r][c] > 1) w[n++ % 16] = c; for (int i = 0; i < n % 16; i++) "
     "y[r] += w[i];",
     false},
    {"the counter is raised behind the list", "int w[16] = {0}",
     "int n = 0; for (int c = 0; c < m; c++) if (x[r][c] > 1) w[n++] = c; if (x[r][0] > 2) n = 5;"
     "for (int i = 0; i < n; i++) y[r] += w[i];",
     false},
    {"the counter is lowered behind the list", "int w[16]",
     "int n = 0; for (int c = 0; c < m; c++) if (x[r][c] > 1) w[n++] = c; if (n > 2) n -= 2;"
     "for (int i = 0; i < n; i++) y[r] += w[i];",
     true},
    {"one at most, read without asking", "int w[4] = {0}",
     "int n = 0; if (x[r][0] > 1) { w[0] = r; n = 1; } y[r] += w[0] + n;", false},
    {"places by two loops, one of which is as long as the other says", "int w[100]",
     "for (int h = 1; h < 4; h++) { int n = 0; for (int i = -h; i <= h; i++) for (int c = -h; c <= h; c++) w[n++] = "
     "x[r][(i * c) & 1];"
     "for (int i = 0; i < n; i++) y[r] += w[i]; y[r] ^= w[n / 2]; }",
     true},
    {"places by two loops, of which a row is left out", "int w[100] = {0}",
     "for (int h = 1; h < 4; h++) { for (int i = -h; i < h; i++) for (int c = -h; c <= h; c++) w[(i + h) * (2 * h + 1) "
     "+ c + h] = r;"
     "for (int i = 0; i < (2 * h + 1) * (2 * h + 1); i++) y[r] += w[i]; }",
     false},
    {"sorted by hand up to the counter", "int w[16]",
     "int n = 0; for (int c = 0; c < m; c++) if (x[r][c] > 1) w[n++] = c;"
     "for (int i = 1; i < n; i++) { int v = w[i], j = i - 1; while (j >= 0 && w[j] > v) { w[j + 1] = w[j]; j--; } w[j "
     "+ 1] = v; }"
     "for (int i = 0; i < n; i++) y[r] += w[i] * i;",
     true},
    {"sorted by hand beyond the counter", "int w[20] = {0}",
     "int n = 0; for (int c = 0; c < m; c++) if (x[r][c] > 1) w[n++] = c;"
     "for (int i = 1; i < n; i++) { int v = w[i], j = i + 1; while (j >= 0 && w[j] > v) { w[j + 1] = w[j]; j--; } w[j "
     "+ 1] = v; }"
     "for (int i = 0; i < n; i++) y[r] += w[i] * i;",
     false},
    {"filled under a condition without another way", "int w[2] = {0}",
     "if (x[r][0] > 1) { for (int i = 0; i < 2; i++) w[i] = r; } y[r] = w[x[r][1] & 1];", false},
    {"two nests that fill it", "int w[2]",
     "for (int i = 0; i < 2; i++) w[i] = r + i; y[r] = w[x[r][1] & 1]; " NEXT
     "for (int i = 0; i < 2; i++) w[i] = k - i; y[r] += w[x[r][0] & 1];",
     true},
    {"a nest that reads what the one before left", "int w[2] = {0}",
     "for (int i = 0; i < 2; i++) w[i] = r + i; y[r] = w[x[r][1] & 1]; " NEXT "y[r] += w[x[r][0] & 1];", false},
    {"a nest that reads half of what the one before left", "int w[2] = {0}",
     "for (int i = 0; i < 2; i++) w[i] = r + i; y[r] = w[x[r][1] & 1]; " NEXT "w[1] = r; y[r] += w[x[r][0] & 1];",
     false},
};

static const struct rg_cnode *home_of(const struct rg_ctree *t, const struct rg_cnode *n, const struct rg_cnode *loop,
                                      bool *found)
{
    if (!n) return NULL;
    if (n->kind == RG_C_DECL && n->array >= 0 && !strcmp(t->arrays[n->array].name, "w")) {
        *found = true;
        return loop;
    }
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *h = home_of(t, n->kid[i], n->kind == RG_C_LOOP ? n : loop, found);
        if (*found) return h;
    }
    return NULL;
}

static void homes(void **state)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char file[] = "/tmp/rg-private-XXXXXX.c";
        int fd = mkstemps(file, 2);
        assert_true(fd >= 0);
        FILE *f = fdopen(fd, "w");
        fprintf(f,
                "#include <stdlib.h>\nstruct s { int a, b; };\n"
                "static int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\n"
                "#pragma regraph extent(len: rows) input(x: uniform(0, k - 1)) input(len: uniform(1, k - 1))\n"
                "#pragma regraph size(rows=20,m=9,k=6)\n"
                "void f(int rows, int m, int k, int x[rows][m], int *len, int y[rows])\n{\n    %s;\n"
                "    for (int r = 0; r < rows; r++) { %s }\n%s}\n",
                cases[i].declared, cases[i].body, strstr(cases[i].declared, "alloc") ? "    free(w);\n" : "");
        fclose(f);
        struct rg_frontend_options o = {.file = file, .rtol = -1, .atol = -1};
        struct rg_problem *p = NULL;
        struct rg_ctree *t = NULL;
        struct rg_error err = RG_ERROR_INIT;
        if (rg_frontend_load(&o, &p, &t, &err) != RG_OK) fail_msg("%s: %s", cases[i].what, err.text);
        bool found = false;
        const struct rg_cnode *home = home_of(t, t->root, NULL, &found);
        if (!found) fail_msg("%s: the array is gone", cases[i].what);
        if ((home != NULL) != cases[i].moves)
            fail_msg("%s: the array is declared %s the loop", cases[i].what, home ? "in" : "in front of");
        rg_problem_free(p);
        rg_ctree_free(t);
        unlink(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(homes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
