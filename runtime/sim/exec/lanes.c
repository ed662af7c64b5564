/* Exchanges between the lanes of a warp, carries, address windows. */
#include "runtime/sim/exec/exec.h"
#include <string.h>

#define LANES(i, m)                                                                                                    \
    for (uint32_t left_##i = (m), i; left_##i && ((i = (uint32_t)__builtin_ctz(left_##i)), 1); left_##i &= left_##i - 1)

int rg__sim_shfl_source(int mode, int i, uint32_t b, uint32_t c)
{
    uint32_t lane = b & 31, clamp = c & 31, segment = c >> 8 & 31, me = (uint32_t)i;
    uint32_t max = (me & segment) | (clamp & ~segment), min = me & segment;
    int32_t j;
    switch (mode) {
    case 0:
        j = i - (int32_t)lane;
        return j >= (int32_t)max ? j : i | SIM_SHFL_OWN; /* up: clamp is the lower end */
    case 1:
        j = (int32_t)(me + lane);
        break;
    case 2:
        j = (int32_t)(me ^ lane);
        break;
    default:
        j = (int32_t)(min | (lane & ~segment));
        break;
    }
    return j <= (int32_t)max ? j : i | SIM_SHFL_OWN;
}

/* The whole warp, all by one distance over all lanes (clamp 31, or 0 going up; no segments). */
static bool whole_shfl(struct sim_warp *w, const struct sim_inst *in)
{
    const uint32_t *a = sim_u32(w, in->a), *b = sim_u32(w, in->b), *c = sim_u32(w, in->c), by = b[0];
    uint32_t *d = sim_u32(w, in->d), out[64], other = 0, valid = ~0u;
    for (int i = 0; i < 32; i++) other |= (b[i] ^ by) | (c[i] ^ (in->x ? 31 : 0));
    if (other || by > 31) return false;
    switch (in->x) {
    case 0: /* up */
        memcpy(out, a, 128);
        memcpy(out + by, a, 4 * (32 - by));
        valid <<= by;
        break;
    case 1: /* down */
        memcpy(out, a, 128);
        memcpy(out, a + by, 4 * (32 - by));
        valid >>= by;
        break;
    case 2:
        for (uint32_t i = 0; i < 32; i++) out[i] = a[i ^ by];
        break;
    default:
        for (int i = 0; i < 32; i++) out[i] = a[by];
        break;
    }
    memcpy(d, out, 128);
    if (in->p >= 0) *sim_u32(w, in->p) = valid;
    return true;
}

void rg__sim_shfl(struct sim_warp *w, const struct sim_inst *in, uint32_t mask)
{
    if (mask == 0xffffffffu && whole_shfl(w, in)) return;
    const uint32_t *a = sim_u32(w, in->a), *b = sim_u32(w, in->b), *c = sim_u32(w, in->c);
    uint32_t *d = sim_u32(w, in->d), out[32], valid = 0;
    LANES(i, mask)
    {
        int j = rg__sim_shfl_source(in->x, (int)i, b[i], c[i]);
        out[i] = a[j & 31]; /* a lane that is not active gives what its register holds, as the device may */
        valid |= (uint32_t) !(j & SIM_SHFL_OWN) << i;
    }
    LANES(i, mask) d[i] = out[i];
    if (in->p >= 0) sim_set_pred(w, in->p, mask, valid);
}

void rg__sim_vote(struct sim_warp *w, const struct sim_inst *in, uint32_t mask)
{
    uint32_t p = *sim_u32(w, in->a);
    LANES(i, mask)
    {
        uint32_t who = in->b >= 0 ? sim_u32(w, in->b)[i] & mask : mask, yes = p & who;
        if (in->x == 3)
            sim_u32(w, in->d)[i] = yes;
        else {
            bool r = in->x == 0 ? yes == who : in->x == 1 ? yes != 0 : yes == who || yes == 0;
            sim_set_pred(w, in->d, (uint32_t)1 << i, r ? ~0u : 0);
        }
    }
}

void rg__sim_match(struct sim_warp *w, const struct sim_inst *in, uint32_t mask)
{
    uint64_t v[32];
    uint32_t out[32], pred = 0;
    LANES(i, mask) v[i] = in->y ? sim_u64(w, in->a)[i] : sim_u32(w, in->a)[i];
    LANES(i, mask)
    {
        uint32_t who = sim_u32(w, in->b)[i] & mask, same = 0;
        LANES(j, who) same |= (uint32_t)(v[j] == v[i]) << j;
        if (in->x) {
            out[i] = same == who ? who : 0;
            pred |= (uint32_t)(same == who) << i;
        } else
            out[i] = same;
    }
    LANES(i, mask) sim_u32(w, in->d)[i] = out[i];
    if (in->p >= 0) sim_set_pred(w, in->p, mask, pred);
}

void rg__sim_redux(struct sim_warp *w, const struct sim_inst *in, uint32_t mask)
{
    const uint32_t *a = sim_u32(w, in->a), *members = sim_u32(w, in->b);
    uint32_t out[32];
    bool sign = in->y == PTX_S32;
    LANES(i, mask)
    {
        uint32_t who = members[i] & mask, r = 0;
        bool first = true;
        LANES(j, who)
        {
            uint32_t v = a[j];
            if (first)
                r = v;
            else
                switch (in->x) {
                case 0:
                    r += v;
                    break;
                case 1:
                    r = sign ? ((int32_t)v < (int32_t)r ? v : r) : v < r ? v : r;
                    break;
                case 2:
                    r = sign ? ((int32_t)v > (int32_t)r ? v : r) : v > r ? v : r;
                    break;
                case 3:
                    r &= v;
                    break;
                case 4:
                    r |= v;
                    break;
                default:
                    r ^= v;
                    break;
                }
            first = false;
        }
        out[i] = r;
    }
    LANES(i, mask) sim_u32(w, in->d)[i] = out[i];
}

void rg__sim_elect(struct sim_warp *w, const struct sim_inst *in, uint32_t mask)
{
    LANES(i, mask)
    {
        uint32_t who = sim_u32(w, in->a)[i] & mask, leader = who ? (uint32_t)__builtin_ctz(who) : i;
        if (in->d >= 0) sim_u32(w, in->d)[i] = leader;
        sim_set_pred(w, in->p, (uint32_t)1 << i, leader == i ? ~0u : 0);
    }
}

/* add, sub, mad with the carry flag; kinds 2 mad.lo, 3 mad.hi unsigned, 4 mad.hi signed */
void rg__sim_carry_run(struct sim_warp *w, const struct sim_inst *in, uint32_t mask)
{
    uint32_t cin = in->e >= 0 ? *sim_u32(w, in->e) : 0, cout = 0;
    LANES(i, mask)
    {
        uint64_t a = in->y ? sim_u64(w, in->a)[i] : sim_u32(w, in->a)[i],
                 b = in->y ? sim_u64(w, in->b)[i] : sim_u32(w, in->b)[i], r;
        uint64_t c = in->c < 0 ? 0 : in->y ? sim_u64(w, in->c)[i] : sim_u32(w, in->c)[i], carry = cin >> i & 1;
        bool out;
        if (in->x == 1) { /* borrow */
            unsigned __int128 t = (unsigned __int128)a - b - carry;
            r = (uint64_t)t;
            out = in->y ? (t >> 64) != 0 : (uint64_t)t >> 32 != 0;
        } else {
            unsigned __int128 p;
            if (in->x == 0)
                p = a, c = b;
            else if (in->x == 4 && in->y)
                p = (uint64_t)(((__int128)(int64_t)a * (int64_t)b) >> 64);
            else if (in->x == 4)
                p = (uint32_t)(((int64_t)(int32_t)a * (int32_t)b) >> 32);
            else {
                p = (unsigned __int128)a * b;
                p = in->x == 3 ? (in->y ? p >> 64 : (p >> 32) & 0xffffffffu) : in->y ? (uint64_t)p : (uint32_t)p;
            }
            p += (unsigned __int128)c + carry;
            r = (uint64_t)p;
            out = in->y ? (p >> 64) != 0 : (uint64_t)p >> 32 != 0;
        }
        if (in->y)
            sim_u64(w, in->d)[i] = r;
        else
            sim_u32(w, in->d)[i] = (uint32_t)r;
        cout |= (uint32_t)out << i;
    }
    if (in->p >= 0) sim_set_pred(w, in->p, mask, cout);
}

void rg__sim_cvta(struct sim_warp *w, const struct sim_inst *in, uint32_t mask)
{
    uint64_t base = in->x == PTX_SHARED ? SIM_SHARED_BASE : in->x == PTX_LOCAL ? SIM_LOCAL_BASE : 0;
    LANES(i, mask)
    {
        uint64_t a = sim_u64(w, in->a)[i];
        sim_u64(w, in->d)[i] = in->y ? a - base : a + base;
    }
}

void rg__sim_isspace(struct sim_run *run, struct sim_warp *w, const struct sim_inst *in, uint32_t mask)
{
    uint32_t r = 0;
    LANES(i, mask)
    {
        uint64_t a = sim_u64(w, in->a)[i];
        bool shared = a >= SIM_SHARED_BASE && a < SIM_SHARED_TOP, local = a >= SIM_LOCAL_BASE && a < SIM_LOCAL_TOP,
             inside;
        bool is_const = false;
        if (in->x == PTX_CONST || in->x == PTX_PARAM) {
            const struct sim_buffer *b = rg__sim_find(run->memory, a, &inside);
            is_const = b && b->is_const;
        }
        bool yes = in->x == PTX_SHARED   ? shared
                   : in->x == PTX_LOCAL  ? local
                   : in->x == PTX_GLOBAL ? !shared && !local
                                         : is_const;
        r |= (uint32_t)yes << i;
    }
    sim_set_pred(w, in->d, mask, r);
}
