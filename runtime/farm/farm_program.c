/* Compiled programs, by content. A bounded number stays in the memory file. */
#include "runtime/farm/farm.h"
#include <rg/hash.h>
#include <stdio.h>
#include <string.h>

static void drop(struct rg_farm *f, struct farm_program *p)
{
    rg__shm_free(&f->shm, p->source);
    rg__shm_free(&f->shm, p->plan);
    rg__shm_free(&f->shm, p->room);
    rg_arena_release(&p->arena);
    memset(p, 0, sizeof *p);
}

static enum rg_status put_text(struct rg_farm *f, const char *text, struct rg_range *out, struct rg_error *err)
{
    struct rg_mapping m;
    size_t n = strlen(text) + 1;
    enum rg_status s = rg__shm_alloc(&f->shm, (int64_t)n, out, err);
    if (s == RG_OK) s = rg__shm_map(f->shm.fd, *out, true, &m, err);
    if (s != RG_OK) return s;
    memcpy(m.data, text, n);
    rg__shm_unmap(&m);
    return RG_OK;
}

void rg__farm_key(const struct rg_source *src, char out[65])
{
    const char *cuda = src->cuda ? src->cuda : "", *plan = src->plan ? src->plan : "";
    struct rg_sha256 *h = rg_sha256_new();
    rg_sha256_add(h, cuda, strlen(cuda) + 1);
    rg_sha256_add(h, plan, strlen(plan) + 1);
    rg_sha256_end(h, out);
}

enum rg_status rg__farm_program(struct rg_farm *f, const struct rg_source *src, struct farm_program **out,
                                struct rg_error *err)
{
    const char *cuda = src->cuda ? src->cuda : "", *plan = src->plan ? src->plan : "";
    char key[65];
    rg__farm_key(src, key);
    struct farm_program *slot = NULL;
    for (int i = 0; i < FARM_PROGRAMS; i++) {
        struct farm_program *p = &f->programs[i];
        if (!strcmp(p->key, key)) {
            p->users++;
            p->used = ++f->clock;
            *out = p;
            return RG_OK;
        }
        if (!p->users && !p->compiling && (!slot || p->used < slot->used)) slot = p;
    }
    if (!slot) return rg_error_set(err, RG_LIMIT, "more than %d candidates in flight", FARM_PROGRAMS);
    drop(f, slot);
    enum rg_status s = put_text(f, cuda, &slot->source, err);
    if (s == RG_OK) s = put_text(f, plan, &slot->plan, err);
    if (s == RG_OK) s = rg__shm_alloc(&f->shm, FARM_ROOM, &slot->room, err);
    if (s != RG_OK) {
        drop(f, slot);
        return s;
    }
    snprintf(slot->key, sizeof slot->key, "%s", key);
    slot->users = 1;
    slot->used = ++f->clock;
    rg__farm_cache_find(f, slot, src);
    *out = slot;
    return RG_OK;
}

/* What the compiler did not need of its room goes back. */
static void trim(struct rg_farm *f, struct farm_program *p)
{
    int64_t end = p->program.ptx.off + p->program.ptx.len, cubin = p->program.cubin.off + p->program.cubin.len;
    if (cubin > end) end = cubin;
    int64_t used = (end - p->room.off + RG_SHM_PAGE - 1) / RG_SHM_PAGE * RG_SHM_PAGE;
    if (used <= 0 || used >= p->room.len) return;
    rg__shm_free(&f->shm, (struct rg_range){p->room.off + used, p->room.len - used});
    p->room.len = used;
}

static bool inside(struct rg_range r, struct rg_range room)
{
    return r.len > 0 && r.off >= room.off && r.len <= room.len && r.off - room.off <= room.len - r.len;
}

void rg__farm_compiled(struct rg_farm *f, struct farm_program *p, const struct rg_msg *m)
{
    p->compiling = false;
    p->compiled = true;
    p->compile_s = m->seconds;
    int o = rg_outcome_parse(m->outcome);
    p->outcome = o < 0 ? RG_OUTCOME_CRASH : (enum rg_outcome)o;
    snprintf(p->message, sizeof p->message, "%s", m->text);
    if (p->outcome != RG_OUTCOME_OK) return;
    /* a worker's figures are checked: it has read text that nobody vouches for */
    if (!inside(m->program.ptx, p->room) || !inside(m->program.cubin, p->room) || m->program.n_kernels < 1) {
        p->outcome = RG_OUTCOME_CRASH;
        snprintf(p->message, sizeof p->message, "the compile worker's answer makes no sense");
        return;
    }
    snprintf(p->ptx_hash, sizeof p->ptx_hash, "%.64s", m->hash);
    p->program = m->program;
    p->program.plan = p->plan;
    p->program.kernels = rg_arena_alloc(&p->arena, (size_t)m->program.n_kernels * sizeof *p->program.kernels);
    for (int i = 0; i < m->program.n_kernels; i++) {
        p->program.kernels[i] = m->program.kernels[i];
        p->program.kernels[i].name = rg_arena_strdup(&p->arena, m->program.kernels[i].name);
        p->program.kernels[i].lowered = rg_arena_strdup(&p->arena, m->program.kernels[i].lowered);
    }
    trim(f, p);
}

void rg__farm_programs_free(struct rg_farm *f)
{
    for (int i = 0; i < FARM_PROGRAMS; i++) rg_arena_release(&f->programs[i].arena);
}
