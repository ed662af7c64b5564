/* Frames of recursive functions (calls.h): what is alive behind each call is saved there. */
#include "runtime/sim/calls.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FRAME = 512 << 10 };

struct set {
    uint64_t *bits;
};
static void add_def(void *arg, int32_t *o, bool is_def)
{
    if (is_def && *o >= 0) ((struct set *)arg)->bits[*o >> 6] |= (uint64_t)1 << (*o & 63);
}
static void drop_def(void *arg, int32_t *o, bool is_def)
{
    if (is_def && *o >= 0) ((struct set *)arg)->bits[*o >> 6] &= ~((uint64_t)1 << (*o & 63));
}
static void add_use(void *arg, int32_t *o, bool is_def)
{
    if (!is_def && *o >= 0) ((struct set *)arg)->bits[*o >> 6] |= (uint64_t)1 << (*o & 63);
}

/* What is alive behind the call and was so before it; liveness is current. */
static void alive_over(const struct sim_flow *f, const struct sim_site_code *s, uint64_t *out)
{
    struct set set = {out};
    int b = f->block_of[s->restore];
    memcpy(out, f->out + (size_t)b * (size_t)f->words, (size_t)f->words * sizeof *out);
    for (int i = f->first[b + 1] - 1; i > s->restore; i--) {
        if (f->dead[i]) continue;
        rg__sim_visit(f->k, &f->k->code[i], drop_def, &set);
        rg__sim_visit(f->k, &f->k->code[i], add_use, &set);
    }
    for (int i = s->call + 1; i < s->restore; i++) /* results */
        if (!f->dead[i]) rg__sim_visit(f->k, &f->k->code[i], drop_def, &set);
    out[f->l->sp >> 6] &= ~((uint64_t)1 << (f->l->sp & 63));
}

/* Registers of one width to the list that SAVE and RESTORE share. */
static int list(struct sim_flow *f, const uint64_t *set, int cls)
{
    int n = 0;
    for (int w = 0; w < f->words; w++)
        for (uint64_t left = set[w]; left; left &= left - 1) {
            int r = w * 64 + __builtin_ctzll(left);
            if (f->l->cls[r] == cls) rg__sim_aux(f->l, &r, 1), n++;
        }
    return n;
}

static int64_t align16(int64_t n)
{
    return (n + 15) / 16 * 16;
}

/* What each call saves. A parameter that is read again behind two calls is alive behind the first one because the
 * second saves it, although that one's argument goes to the same register first: hence until nothing is added. */
static void saved_by_calls(struct sim_flow *f, const uint64_t *in_bodies)
{
    struct sim_lower *l = f->l;
    const size_t words = (size_t)f->words, bytes = words * sizeof(uint64_t);
    uint64_t *sets = rg_xcalloc((size_t)f->k->n_calls + 1, bytes), *set = rg_xcalloc(1, bytes);
    for (bool first = true, more = true; more; first = false) {
        more = false;
        for (int i = 0; i < f->k->n_calls; i++) {
            const struct sim_site_code *s = &l->sites[i];
            struct sim_call *c = &f->k->calls[i];
            uint64_t *before = sets + (size_t)i * words;
            alive_over(f, s, set);
            for (size_t w = 0; w < words && !s->owner; w++) { /* the kernel is active once */
                f->kept[w] |= set[w] & ~in_bodies[w];
                set[w] &= in_bodies[w];
            }
            if (!first && !memcmp(before, set, bytes)) continue;
            memcpy(before, set, bytes);
            more = true;
            c->aux = f->k->n_aux;
            c->n64 = list(f, set, 8);
            c->n32 = list(f, set, 4);
            c->n_preds = list(f, set, 0);
            c->n = c->n64 + c->n32 + c->n_preds;
            for (int r = 0; r < c->n; r++) rg__sim_aux(l, &(int){f->k->aux[c->aux + r]}, 1);
        }
        if (more) rg__sim_liveness(f);
    }
    free(set);
    free(sets);
}

void rg__sim_frames(struct sim_flow *f)
{
    struct sim_lower *l = f->l;
    struct sim_kernel *k = f->k;
    const struct sim_flat *flat = &l->flat;
    size_t bytes = (size_t)f->words * sizeof(uint64_t);
    uint64_t *in_bodies = rg_xcalloc(1, bytes);
    f->kept = rg_xcalloc(1, bytes);
    struct set defined = {in_bodies};
    for (int i = l->first_body; i < f->n; i++)
        if (!f->dead[i]) rg__sim_visit(k, &k->code[i], add_def, &defined);
    k->n_calls = flat->n_calls;
    k->calls = rg_xcalloc((size_t)k->n_calls + 1, sizeof *k->calls);
    int64_t *saves = rg_xcalloc((size_t)flat->n_bodies + 1, sizeof *saves), largest = 0;
    saved_by_calls(f, in_bodies);
    for (int i = 0; i < flat->n_calls; i++) {
        const struct sim_call *c = &k->calls[i];
        int owner = l->sites[i].owner;
        int64_t words = 2 * (int64_t)c->n64 + c->n32 + c->n_preds;
        if (words > saves[owner]) saves[owner] = words;
    }
    for (int i = 0; i <= flat->n_bodies; i++) {
        saves[i] = align16(l->frames[i] + 4 * saves[i]); /* from here on: the whole frame */
        if (saves[i] > largest) largest = saves[i];
    }
    for (int i = 0; i < flat->n_calls; i++) {
        const struct sim_site_code *s = &l->sites[i];
        k->calls[i].save = l->frames[s->owner];
        k->calls[i].frame = saves[s->owner];
        k->calls[i].callee_frame = saves[flat->calls[i].body + 1];
        k->calls[i].callee = flat->bodies[flat->calls[i].body].f->name;
    }
    for (int i = 0; i < f->n; i++)
        if (k->code[i].op == SIM_PASS)
            k->code[i].c += (int32_t)(k->code[i].x ? -saves[k->code[i].p] : saves[k->code[i].p]);
    k->n_bodies = flat->n_bodies;
    k->bodies = rg_xcalloc((size_t)k->n_bodies + 1, sizeof *k->bodies);
    for (int i = 0; i < k->n_bodies; i++) k->bodies[i].frame = saves[i + 1];
    k->stack_base = k->local_bytes;
    k->stack_first = k->stack_base + saves[0];
    k->stack_top = k->stack_base + l->m->stack_bytes;
    /* A caller passes arguments before there is known to be room. */
    k->local_bytes = (k->stack_first > k->stack_top ? k->stack_first : align16(k->stack_top)) + largest;
    if (largest > MOST_FRAME) {
        k->unsupported = true;
        snprintf(k->why, sizeof k->why, "frames of %lld bytes in recursive functions", (long long)largest);
    }
    free(in_bodies);
    free(saves);
}
