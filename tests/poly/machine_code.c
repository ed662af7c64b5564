/* Of texts that the built-in coder prints in two versions (golden-diff.sh's folders before/ and now/): where a kernel's
 * text differs, is its machine code the same? Compares the code, registers and shared memory of what NVRTC makes for
 * sm_90; names and debug information do not count.
 *     machine_code BEFORE NOW OUT [EVERY]
 * Prints a line for each pair of kernels whose code differs, and leaves both texts and their PTX in OUT; EVERY n: only
 * every n-th pair is compiled. Exit 1: some differ. */
#include <dirent.h>
#include <elf.h>
#include <rg/arena.h>
#include <rg/buf.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "runtime/compile/compiler.h"

enum { JOBS = 2 };

struct pair {
    char *text[2], *where; /* where: file, vector, kernel */
    char key[65];
};

static struct pair *pairs;
static int n_pairs, cap_pairs, n_plans, n_files;

static char *read_text(const char *path)
{
    char *text = NULL;
    size_t len;
    struct rg_error err = RG_ERROR_INIT;
    return rg_file_read(path, 0, &text, &len, &err) == RG_OK ? text : NULL;
}

static char *piece_of(const char *from, const char *to)
{
    size_t n = (size_t)(to - from);
    char *s = rg_xmalloc(n + 1);
    memcpy(s, from, n);
    s[n] = 0;
    return s;
}

/* ---- kernels of a text ---- */

struct kernels {
    int n;
    struct {
        const char *from, *to;
    } at[160];
};

/* Each __global__ function from its comment to the brace at a line's start. */
static struct kernels kernels_of(const char *text)
{
    struct kernels k = {0};
    for (const char *p = strstr(text, "\n__global__ "); p && k.n < 160; p = strstr(p, "\n__global__ ")) {
        const char *end = strstr(p, "\n}\n");
        if (!end) break;
        k.at[k.n].from = p + 1;
        k.at[k.n++].to = end + 3;
        p = end;
    }
    return k;
}

/* One kernel of the text, with all that is no kernel in front of it. */
static char *alone(const char *text, const struct kernels *k, int which)
{
    struct rg_buf b = RG_BUF_INIT;
    const char *done = text;
    for (int i = 0; i < k->n; i++) {
        rg_buf_printf(&b, "%.*s", (int)(k->at[i].from - done), done);
        done = k->at[i].to;
    }
    rg_buf_printf(&b, "%s\n%.*s", done, (int)(k->at[which].to - k->at[which].from), k->at[which].from);
    char *s = rg_xstrdup(b.data);
    rg_buf_release(&b);
    return s;
}

static void add_pair(char *before, char *now, char *where)
{
    struct pair x = {{before, now}, where, ""};
    struct rg_sha256 *h = rg_sha256_new();
    for (int i = 0; i < 2; i++) rg_sha256_add(h, x.text[i], strlen(x.text[i]) + 1);
    rg_sha256_end(h, x.key);
    for (int i = 0; i < n_pairs; i++)
        if (!strcmp(pairs[i].key, x.key)) {
            free(before);
            free(now);
            free(where);
            return;
        }
    RG_GROW(pairs, n_pairs, cap_pairs);
    pairs[n_pairs++] = x;
}

static void add_texts(const char *before, const char *now, const char *where)
{
    struct kernels b = kernels_of(before), n = kernels_of(now);
    /* phases of cooperative kernels are functions of the device: such a text is compared as a whole */
    bool apart = b.n && b.n == n.n && !strstr(before, "__device__ __forceinline__ void");
    if (!apart) {
        add_pair(rg_xstrdup(before), rg_xstrdup(now), rg_xasprintf("%s, all kernels", where));
        return;
    }
    for (int i = 0; i < b.n; i++) {
        char *one = alone(before, &b, i), *two = alone(now, &n, i);
        size_t len = (size_t)(b.at[i].to - b.at[i].from);
        bool same = len == (size_t)(n.at[i].to - n.at[i].from) && !memcmp(b.at[i].from, n.at[i].from, len);
        if (same && !strcmp(one, two)) {
            free(one);
            free(two);
            continue;
        }
        add_pair(one, two, rg_xasprintf("%s, kernel %d", where, i));
    }
}

/* The file's vectors, one after the other: heading, CUDA, plan. */
static void add_file(const char *name, const char *before, const char *now)
{
    const char *p[2] = {before, now}, *mark = "\n==== ";
    for (;;) {
        char *cuda[2] = {NULL, NULL}, *plan[2] = {NULL, NULL}, head[160] = "";
        for (int i = 0; i < 2; i++) {
            p[i] = strstr(p[i], mark);
            if (!p[i]) break;
            const char *line = p[i] + strlen(mark), *eol = strchr(line, '\n'), *end = strstr(line, mark);
            end = end ? end : line + strlen(line);
            snprintf(head, sizeof head, "%.*s", (int)(eol - line), line);
            char *all = piece_of(eol + 1, end), *cut = strstr(all, "\n---- plan\n");
            plan[i] = rg_xstrdup(cut ? cut : "");
            if (cut) *cut = 0;
            cuda[i] = all;
            p[i] = end;
        }
        if (cuda[0] && cuda[1]) {
            char *where = rg_xasprintf("%s [%s]", name, head);
            bool refused[2] = {!strncmp(cuda[0], "refused", 7), !strncmp(cuda[1], "refused", 7)};
            if (strcmp(plan[0], plan[1]) != 0 && ++n_plans)
                printf("PLAN      %s\n", where);
            if (refused[0] != refused[1])
                printf("REFUSED   %s: %s\n", where, refused[0] ? "before alone" : cuda[1]);
            else if (!refused[0] && strcmp(cuda[0], cuda[1]) != 0)
                add_texts(cuda[0], cuda[1], where);
            free(where);
        }
        bool more = cuda[0] && cuda[1];
        for (int i = 0; i < 2; i++) {
            free(cuda[i]);
            free(plan[i]);
        }
        if (!more) return;
    }
}

static void add_folder(const char *before, const char *now, const char *name)
{
    struct dirent **list;
    int n = scandir(now, &list, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *file = list[i]->d_name;
        char *b = rg_xasprintf("%s/%s", before, file), *x = rg_xasprintf("%s/%s", now, file),
             *deeper = rg_xasprintf("%s/%s", name, file);
        struct stat st;
        if (file[0] != '.' && stat(x, &st) == 0) {
            if (S_ISDIR(st.st_mode)) {
                add_folder(b, x, deeper);
            } else {
                char *was = read_text(b), *is = read_text(x);
                n_files++;
                if (!was)
                    printf("NEW       %s\n", deeper);
                else if (is && strcmp(was, is) != 0)
                    add_file(deeper, was, is);
                free(was);
                free(is);
            }
        }
        free(b);
        free(x);
        free(deeper);
        free(list[i]);
    }
    if (n >= 0) free(list);
}

/* ---- machine code ---- */

struct code {
    bool ok;
    char hash[65];
    int registers;
    size_t bytes;
    char *ptx;
};

static bool counts(const char *section)
{
    return !strncmp(section, ".text.", 6) || !strncmp(section, ".nv.shared.", 11) ||
           !strncmp(section, ".nv.constant2", 13) || !strncmp(section, ".nv.constant3", 13);
}

/* Entries of a format, an attribute, a size, and as many bytes: of functions and their registers. */
static void read_registers(const unsigned char *p, size_t size, struct code *c)
{
    enum { SIZED = 4, REGISTERS = 0x2f };
    for (size_t i = 0; i + 4 <= size;) {
        uint16_t n = p[i] == SIZED ? (uint16_t)(p[i + 2] | p[i + 3] << 8) : 0;
        uint32_t v;
        if (p[i] == SIZED && p[i + 1] == REGISTERS && n == 8 && i + 12 <= size) {
            memcpy(&v, p + i + 8, sizeof v);
            c->registers = (int)v > c->registers ? (int)v : c->registers;
        }
        i += 4u + n;
    }
}

static void read_code(const unsigned char *elf, struct code *c)
{
    const Elf64_Ehdr *e = (const Elf64_Ehdr *)elf;
    const Elf64_Shdr *s = (const Elf64_Shdr *)(elf + e->e_shoff);
    const char *names = (const char *)(elf + s[e->e_shstrndx].sh_offset);
    struct rg_sha256 *h = rg_sha256_new();
    for (int i = 0; i < e->e_shnum; i++) {
        const char *name = names + s[i].sh_name;
        if (!strcmp(name, ".nv.info")) read_registers(elf + s[i].sh_offset, s[i].sh_size, c);
        if (!counts(name)) continue;
        rg_sha256_add(h, &s[i].sh_size, sizeof s[i].sh_size);
        if (s[i].sh_type != SHT_NOBITS) rg_sha256_add(h, elf + s[i].sh_offset, s[i].sh_size);
        if (!strncmp(name, ".text.", 6)) c->bytes += s[i].sh_size;
    }
    rg_sha256_add(h, &c->registers, sizeof c->registers);
    rg_sha256_end(h, c->hash);
}

static struct code compiled(struct rg_compiler *c, const char *text)
{
    struct code code = {0};
    struct rg_arena a = {0};
    struct rg_compiled out;
    struct rg_error err = RG_ERROR_INIT;
    if (rg__compile(c, &a, text, "sm_90", 0, NULL, 0, &out, &err) == RG_OK && out.outcome == RG_OUTCOME_OK) {
        code.ok = true;
        read_code(out.cubin, &code);
        code.ptx = rg_xstrdup(out.ptx);
    } else {
        code.ptx = rg_xstrdup(*out.message ? out.message : err.text);
    }
    rg__compiled_release(&out);
    rg_arena_release(&a);
    return code;
}

static void keep(const char *folder, int number, const char *ending, const char *text)
{
    char *path = rg_xasprintf("%s/%04d.%s", folder, number, ending);
    FILE *f = fopen(path, "w");
    if (f) {
        fputs(text, f);
        fclose(f);
    }
    free(path);
}

static int compare(int job, int every, const char *folder)
{
    struct rg_compiler c;
    struct rg_error err = RG_ERROR_INIT;
    if (rg__compiler_open(&c, &err) != RG_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 2;
    }
    int differ = 0;
    for (int i = 0; i < n_pairs; i++) {
        if (i % every || i / every % JOBS != job) continue;
        struct code b = compiled(&c, pairs[i].text[0]), n = compiled(&c, pairs[i].text[1]);
        if (!b.ok || !n.ok || strcmp(b.hash, n.hash) != 0) {
            differ++;
            if (b.ok && n.ok)
                printf("DIFFERENT %04d %s: %d registers, %zu bytes; now %d, %zu\n", i, pairs[i].where, b.registers,
                       b.bytes, n.registers, n.bytes);
            else
                printf("BROKEN    %04d %s: %s\n", i, pairs[i].where, b.ok ? n.ptx : b.ptx);
            keep(folder, i, "before.cu", pairs[i].text[0]);
            keep(folder, i, "now.cu", pairs[i].text[1]);
            keep(folder, i, "before.ptx", b.ptx);
            keep(folder, i, "now.ptx", n.ptx);
        }
        fflush(stdout);
        free(b.ptx);
        free(n.ptx);
    }
    rg__compiler_close(&c);
    return differ > 0;
}

int main(int argc, char **argv)
{
    int every = argc > 4 ? atoi(argv[4]) : 1, status = 0;
    struct rg_error err = RG_ERROR_INIT;
    if (argc < 4 || every < 1 || rg_file_mkdirs(argv[3], &err) != RG_OK) {
        fprintf(stderr, "machine_code BEFORE NOW OUT [EVERY]\n");
        return 2;
    }
    add_folder(argv[1], argv[2], ".");
    printf("%d files; %d pairs of kernels whose text differs; %d plans differ\n", n_files, n_pairs, n_plans);
    fflush(stdout);
    for (int j = 0; j < JOBS; j++)
        if (fork() == 0) exit(compare(j, every, argv[3]));
    for (int s; wait(&s) > 0;) status |= WIFEXITED(s) ? WEXITSTATUS(s) : 2;
    return status & 2 ? 2 : status;
}
