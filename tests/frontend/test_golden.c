/* The golden list of trees: what the front end makes of every function of the files in the tree - the problem in words,
 * the tree as in files, or the message that refuses it - by hash, so that a change of its form shows that it changes
 * nothing else. test_golden                 some of the functions, compared test_golden --all [WORD..]  all of them; of
 * files with one of the words in their name test_golden --write         golden.txt anew test_golden --texts DIR each
 * function's text in a file of DIR: diff -r of two builds' folders shows what differs Skipped where libclang is
 * missing. test-deadline: 400 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>
#include <rg/buf.h>
#include <rg/file.h>
#include <rg/frontend.h>
#include <rg/hash.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST "tests/frontend/golden.txt"
enum { FEW = 5 /* every so many of the files, without --all */, NAME = 200, HASH = 16 };

static bool all, writing;
static const char *texts; /* folder; NULL none */
static char **only;
static int n_only;

struct golden {
    struct rg_buf seen; /* lines "FILE FUNCTION HASH" */
    char *list;
    int n, n_wrong;
    bool parser;
};

static void compare(struct golden *g, const char *file, const char *function, const char *text)
{
    char hex[65], line[2 * NAME + HASH + 8];
    rg_sha256_hex(text, strlen(text), hex);
    snprintf(line, sizeof line, "%s %s %.*s\n", file, function, HASH, hex);
    rg_buf_str(&g->seen, line);
    g->n++;
    if (texts) {
        char *path = rg_xasprintf("%s/%s.%s", texts, file, function);
        for (char *c = path + strlen(texts) + 1; *c; c++)
            if (*c == '/') *c = '_';
        assert_int_equal(rg_file_write(path, text, strlen(text), NULL), RG_OK);
        free(path);
    } else if (!writing && !strstr(g->list, line)) {
        print_message("%s: %s is another\n", file, function);
        g->n_wrong++;
    }
}

static void load(struct golden *g, const char *file, const char *function)
{
    const struct rg_frontend_options o = {.file = file, .function = function, .rtol = -1, .atol = -1};
    struct rg_error err = RG_ERROR_INIT;
    struct rg_problem *p;
    struct rg_ctree *t;
    struct rg_buf text = RG_BUF_INIT;
    char message[1500];
    enum rg_status st = rg_frontend_load(&o, &p, &t, &err);
    if (st == RG_UNAVAILABLE) {
        g->parser = false;
        return;
    }
    if (st == RG_OK) {
        rg_frontend_explain(&text, p, t);
        rg_buf_str(&text, p->tree_json ? p->tree_json : "no tree");
        rg_ctree_free(t); /* the problem outlives it */
        char *hash = strdup(p->hash);
        rg_problem_rehash(p);
        if (strcmp(p->hash, hash)) fail_msg("%s %s: the problem holds what was the tree's", file, function);
        free(hash);
        rg_problem_free(p);
    } else {
        rg_buf_str(&text, rg_error_format(&err, message, sizeof message));
    }
    compare(g, file, function, text.data);
    rg_buf_release(&text);
}

/* Every name in front of a parenthesis on a line that begins with a letter: its functions, and perhaps what is refused.
 */
static void functions(struct golden *g, const char *file)
{
    struct rg_error err = RG_ERROR_INIT;
    char *text, *save = NULL;
    size_t len;
    struct rg_buf done = RG_BUF_INIT;
    rg_buf_str(&done, " ");
    if (rg_file_read(file, 0, &text, &len, &err) != RG_OK) fail_msg("%s", err.text);
    for (char *l = strtok_r(text, "\n", &save); l && g->parser; l = strtok_r(NULL, "\n", &save)) {
        const char *end = isalpha((unsigned char)*l) ? strchr(l, '(') : NULL, *from = end;
        while (from && from > l && (isalnum((unsigned char)from[-1]) || from[-1] == '_')) from--;
        char name[NAME], word[NAME + 2];
        if (!from || from == end || from == l || (size_t)(end - from) >= sizeof name) continue;
        snprintf(name, sizeof name, "%.*s", (int)(end - from), from);
        snprintf(word, sizeof word, " %s ", name);
        if (strstr(done.data, word)) continue;
        rg_buf_str(&done, word + 1);
        load(g, file, name);
    }
    rg_buf_release(&done);
    free(text);
}

static bool chosen(const char *file, int number)
{
    bool any = !n_only;
    for (int i = 0; i < n_only; i++) any = any || strstr(file, only[i]);
    return any && (all || number % FEW == 0);
}

static void trees(void **state)
{
    static const char *const patterns[] = {
        "examples/*.c",         "examples/polybench/*.c",  "tests/frontend/cases/*.c",
        "tests/poly/cases/*.c", "tests/poly/programs/*.c", "tests/whole/*.c"};
    struct rg_error err = RG_ERROR_INIT;
    struct golden g = {.seen = RG_BUF_INIT, .parser = true};
    size_t len;
    int number = 0;
    if (writing)
        g.list = rg_xstrdup("");
    else if (rg_file_read(LIST, 0, &g.list, &len, &err) != RG_OK)
        fail_msg("%s", err.text);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        glob_t found;
        if (glob(patterns[i], 0, NULL, &found)) fail_msg("no %s: run in the tree's root", patterns[i]);
        for (size_t k = 0; k < found.gl_pathc; k++)
            if (chosen(found.gl_pathv[k], number++) && g.parser) functions(&g, found.gl_pathv[k]);
        globfree(&found);
    }
    if (g.parser && writing && rg_file_write(LIST, g.seen.data, g.seen.len, &err) != RG_OK) fail_msg("%s", err.text);
    int lines = 0;
    for (const char *c = g.list; *c; c++) lines += *c == '\n';
    rg_buf_release(&g.seen);
    free(g.list);
    if (!g.parser) skip();
    if (g.n_wrong) fail_msg("%d functions differ from " LIST, g.n_wrong);
    if (all && !n_only && !writing && !texts && lines != g.n)
        fail_msg(LIST " has %d functions, the tree %d: write it anew", lines, g.n);
}

int main(int argc, char **argv)
{
    setenv("RG_VERIFY", "1",
           1); /* as in all tests: a tree that does not verify is told as such, however the list is written */
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--all"))
            all = true;
        else if (!strcmp(argv[i], "--write"))
            all = writing = true;
        else if (!strcmp(argv[i], "--texts") && i + 1 < argc) {
            all = true;
            texts = argv[++i];
        } else {
            only = argv + i;
            n_only = writing ? 0 : argc - i; /* the list is of everything */
            break;
        }
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
