/* The cache of compiled programs on disk, seen from the supervisor: compile workers can reach no files. A candidate
 * fares the same whether it was compiled now or before; only what compiled is kept. */
#include "runtime/compile/cache_entry.h"
#include "runtime/compile/compile_check.h"
#include "runtime/farm/farm.h"
#include <rg/hash.h>
#include <string.h>

static const int64_t limit_bytes = INT64_C(512) << 20;

void rg__farm_cache_open(struct rg_farm *f)
{
    rg__cache_open(&f->cache, f->o.cache, "compiled", limit_bytes);
}

void rg__farm_cache_compiler(struct rg_farm *f, const char *fingerprint)
{
    if (strlen(fingerprint) != 64) return;
    if (f->compiler[0] && strcmp(f->compiler, fingerprint))
        f->mixed_compilers = true; /* replaced under our feet: whose work an answer is, is not known */
    memcpy(f->compiler, fingerprint, 65);
}

static void add_text(struct rg_sha256 *h, const char *text)
{
    rg_sha256_add(h, text, strlen(text) + 1);
}

static void make_key(const struct rg_farm *f, const char *cuda, const struct rg_plan *plan, char out[65])
{
    struct rg_sha256 *h = rg_sha256_new();
    add_text(h, "regraph-compiled/1");
    add_text(h, f->compiler);
    add_text(h, f->arch);
    add_text(h, cuda);
    for (int i = 0; i < plan->n_kernels; i++) add_text(h, plan->kernels[i]);
    rg_sha256_end(h, out);
}

static bool same_kernels(const struct rg_cache_entry *e, const struct rg_plan *plan)
{
    if (e->n_kernels != plan->n_kernels) return false;
    for (int i = 0; i < e->n_kernels; i++)
        if (strcmp(e->kernels[i].name, plan->kernels[i])) return false;
    return true;
}

/* As the compile worker would leave it. */
static bool put_into_room(struct rg_farm *f, struct farm_program *p, const struct rg_cache_entry *e, struct rg_msg *m)
{
    struct rg_mapping room;
    int64_t ptx_len = (int64_t)e->ptx_len + 1, cubin_at = (ptx_len + 63) & ~INT64_C(63);
    if (cubin_at + (int64_t)e->cubin_len > p->room.len || rg__shm_map(f->shm.fd, p->room, true, &room, NULL) != RG_OK)
        return false;
    memcpy(room.data, e->ptx, (size_t)ptx_len);
    memcpy((char *)room.data + cubin_at, e->cubin, e->cubin_len);
    rg__shm_unmap(&room);
    m->program.ptx = (struct rg_range){p->room.off, ptx_len};
    m->program.cubin = (struct rg_range){p->room.off + cubin_at, (int64_t)e->cubin_len};
    return true;
}

static bool take(struct rg_farm *f, struct farm_program *p, struct rg_plan *plan, const struct rg_cache_entry *e)
{
    struct rg_msg m;
    struct rg_error why = RG_ERROR_INIT;
    char text[1400];
    rg__msg_init(&m, RG_MSG_COMPILED, 0);
    enum rg_outcome o =
        rg__compile_check(plan, f->problem, e->kernels, e->n_kernels, f->o.limit_regs, f->o.limit_shared, &why);
    m.outcome = rg_outcome_word(o);
    m.text = o == RG_OUTCOME_OK ? "" : rg_error_format(&why, text, sizeof text);
    m.hash = e->hash;
    m.program.n_kernels = e->n_kernels;
    m.program.kernels = e->kernels;
    if (o == RG_OUTCOME_OK && !put_into_room(f, p, e, &m)) return false;
    rg__farm_compiled(f, p, &m);
    rg__msg_release(&m);
    return true;
}

void rg__farm_cache_find(struct rg_farm *f, struct farm_program *p, const struct rg_source *src)
{
    struct rg_plan *plan = NULL;
    p->cache_key[0] = 0;
    if (!f->cache.dir || !f->compiler[0] || f->mixed_compilers) return;
    if (rg__compile_plan(src->plan ? src->plan : "", NULL, &plan, NULL) != RG_OK)
        return; /* the worker says what is wrong with it */
    make_key(f, src->cuda ? src->cuda : "", plan, p->cache_key);
    struct rg_buf b = RG_BUF_INIT;
    struct rg_arena a = RG_ARENA_INIT;
    struct rg_cache_entry e;
    if (rg__cache_get(&f->cache, p->cache_key, &b) && rg__cache_entry_parse(&a, b.data, b.len, &e) &&
        same_kernels(&e, plan) && take(f, p, plan, &e)) {
        p->cached = true;
        f->info.compile_hits++;
    }
    rg_arena_release(&a);
    rg_buf_release(&b);
    rg_plan_free(plan);
}

void rg__farm_cache_keep(struct rg_farm *f, const struct farm_program *p)
{
    if (!p->cache_key[0] || f->mixed_compilers || p->cached || p->outcome != RG_OUTCOME_OK) return;
    struct rg_mapping ptx = {NULL, 0, NULL}, cubin = {NULL, 0, NULL};
    enum rg_status s = rg__shm_map(f->shm.fd, p->program.ptx, false, &ptx, NULL);
    if (s == RG_OK) s = rg__shm_map(f->shm.fd, p->program.cubin, false, &cubin, NULL);
    const char *text = ptx.data;
    size_t n = (size_t)p->program.ptx.len;
    if (s == RG_OK && n > 0 && memchr(text, 0, n) == text + n - 1) {
        const struct rg_cache_entry e = {.hash = p->ptx_hash,
                                         .n_kernels = p->program.n_kernels,
                                         .kernels = p->program.kernels,
                                         .ptx = text,
                                         .ptx_len = n - 1,
                                         .cubin = cubin.data,
                                         .cubin_len = (size_t)p->program.cubin.len};
        struct rg_buf b = RG_BUF_INIT;
        rg__cache_entry_print(&b, &e);
        rg__cache_put(&f->cache, p->cache_key, b.data, b.len);
        rg_buf_release(&b);
    }
    rg__shm_unmap(&ptx);
    rg__shm_unmap(&cubin);
}
