/* Scalars of rounds and nests of pairs, and members of structures: which are read before they are set, so that one
 * iteration has them of another, and which are read behind a nest. */
#include "frontend/normalise/doubling.h"
#include <string.h>

/* ---- places ---- */

int rg__doubling_place_var(const struct rg_cnode *place)
{
    return place->kind == RG_C_VAR ? place->var : place->kid[0]->var;
}

/* Some member of the variable, which is a structure. */
static bool is_member(const struct rg_cnode *n, int var)
{
    return n->kind == RG_C_MEMBER && n->n == 1 && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 &&
           n->kid[0]->var == var;
}

bool rg__doubling_mentions(const struct rg_cnode *n, const struct rg_cnode *place)
{
    int var = rg__doubling_place_var(place);
    if (!n) return false;
    if (place->kind == RG_C_VAR) return rg__c_mentions_var(n, var);
    if (n->kind == RG_C_VERBATIM) return true;
    if (is_member(n, var)) return !strcmp(n->text, place->text);
    if (n->kind == RG_C_VAR && n->array < 0 && n->var == var) return true; /* the whole structure */
    for (int i = 0; i < n->n; i++)
        if (rg__doubling_mentions(n->kid[i], place)) return true;
    return false;
}

int rg__doubling_place_writes(const struct rg_cnode *n, const struct rg_cnode *place)
{
    int var = rg__doubling_place_var(place);
    if (!n) return 0;
    if (place->kind == RG_C_VAR) return rg__doubling_writes(n, var);
    int count = 0;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) {
        const struct rg_cnode *to = n->kid[0];
        while (to->kind == RG_C_MEMBER && !is_member(to, var)) to = to->kid[0];
        count += is_member(to, var) ? !strcmp(to->text, place->text) : rg__doubling_var(to, var);
    }
    count += n->kind == RG_C_DECL && n->array < 0 && n->var == var && n->n;
    for (int i = 0; i < n->n; i++) count += rg__doubling_place_writes(n->kid[i], place);
    return count;
}

/* What the statement sets the place to, or all of the structure; NULL: it does not, or not plainly. */
static const struct rg_cnode *set(const struct rg_cnode *s, const struct rg_cnode *place)
{
    int var = rg__doubling_place_var(place);
    const struct rg_cnode *v = rg__doubling_set(s, var), *e = s->kind == RG_C_STMT ? s->kid[0] : s;
    if (v || place->kind == RG_C_VAR || e->kind != RG_C_ASSIGN || e->op != RG_COP_SET) return v;
    return is_member(e->kid[0], var) && !strcmp(e->kid[0]->text, place->text) ? e->kid[1] : NULL;
}

/* A variable's places: it, or, where members of it are named, those, and one that stands for all others. */
enum { MAX_MEMBERS = 16 };

struct places {
    struct rg_cnode whole, rest, *of_rest[1];
    int n;
    const struct rg_cnode *item[MAX_MEMBERS + 1];
    bool many; /* more than there is room for */
};

static void find_members(struct places *p, const struct rg_cnode *n, int var)
{
    if (!n) return;
    if (is_member(n, var)) {
        for (int i = 0; i < p->n; i++)
            if (!strcmp(p->item[i]->text, n->text)) return;
        if (p->n == MAX_MEMBERS)
            p->many = true;
        else
            p->item[p->n++] = n;
    }
    for (int i = 0; i < n->n; i++) find_members(p, n->kid[i], var);
}

static void places_of(struct places *p, const struct rg_cnode *n, int var)
{
    *p = (struct places){.whole = {.kind = RG_C_VAR, .var = var, .array = -1}};
    find_members(p, n, var);
    if (p->n && !p->many) {
        p->of_rest[0] = &p->whole;
        p->rest = (struct rg_cnode){.kind = RG_C_MEMBER, .text = "", .n = 1, .kid = p->of_rest};
        p->item[p->n++] = &p->rest;
    } else {
        p->n = 1;
        p->item[0] = &p->whole;
    }
}

/* ---- what is read first ---- */

/* Is n code that is more than one statement? */
static bool compound(const struct rg_cnode *n)
{
    return n->kind == RG_C_BLOCK || n->kind == RG_C_FOR || n->kind == RG_C_IF || n->kind == RG_C_LOOP ||
           n->kind == RG_C_WHILE || n->kind == RG_C_DO;
}

static bool exposed(const struct rg_cnode *n, const struct rg_cnode *place, const struct rg_cnode *nest)
{
    if (!n || n == nest || !rg__doubling_mentions(n, place)) return false;
    if (!compound(n)) {
        const struct rg_cnode *v = rg__c_is_expr(n) ? NULL : set(n, place);
        const bool bare = n->kind == RG_C_DECL && n->array < 0 && n->var == rg__doubling_place_var(place) && !n->n;
        return !bare && (!v || rg__doubling_mentions(v, place));
    }
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *k = n->kid[i];
        if (!k || k == nest) continue;
        if (exposed(k, place, nest)) return true;
        const struct rg_cnode *init = k->kind == RG_C_FOR ? k->kid[0] : k;
        while (init && init->kind == RG_C_BLOCK && init->n == 1 && init != k) init = init->kid[0];
        bool sets = init && !rg__c_is_expr(init) && !compound(init) && set(init, place);
        if (sets && (n->kind == RG_C_BLOCK || (n->kind == RG_C_FOR && i == 0))) return false;
    }
    return false;
}

bool rg__doubling_exposed(const struct rg_cnode *n, int var, const struct rg_cnode *nest)
{
    struct places p;
    places_of(&p, n, var);
    for (int i = 0; i < p.n; i++)
        if (exposed(n, p.item[i], nest)) return true;
    return false;
}

bool rg__doubling_handed_on(const struct rg_cnode *n, int var)
{
    struct places p;
    places_of(&p, n, var);
    for (int i = 0; i < p.n; i++)
        if (rg__doubling_place_writes(n, p.item[i]) && exposed(n, p.item[i], NULL)) return true;
    return false;
}

/* ---- what is read behind the nest ---- */

/* Does the statement set the place, whatever happens? */
static bool kills(const struct rg_cnode *s, const struct rg_cnode *place)
{
    const struct rg_cnode *init = s->kind == RG_C_FOR ? s->kid[0] : s;
    while (init && init->kind == RG_C_BLOCK && init->n == 1 && init != s) init = init->kid[0];
    return init && (init->kind == RG_C_DECL || init->kind == RG_C_STMT || init->kind == RG_C_ASSIGN) &&
           set(init, place) && !rg__doubling_mentions(set(init, place), place);
}

enum after { ABSENT, LIVE, SET, ON }; /* the nest is not there; behind it: read, set, neither */

static enum after after(const struct rg_cnode *n, const struct rg_cnode *place, const struct rg_cnode *nest)
{
    if (n == nest) return ON;
    if (!n || rg__c_is_expr(n)) return ABSENT;
    for (int i = 0; i < n->n; i++) {
        enum after r = after(n->kid[i], place, nest);
        if (r == ABSENT) continue;
        if (r != ON) return r;
        if (n->kind == RG_C_BLOCK) {
            for (int k = i + 1; k < n->n; k++) {
                if (exposed(n->kid[k], place, nest)) return LIVE;
                if (kills(n->kid[k], place)) return SET;
            }
            return ON;
        }
        if (n->kind == RG_C_IF) return ON;
        if (n->kind != RG_C_FOR && n->kind != RG_C_WHILE && n->kind != RG_C_DO && n->kind != RG_C_LOOP) return LIVE;
        for (int k = n->kind == RG_C_FOR; k < n->n; k++) { /* once more */
            const struct rg_cnode *part = n->kid[k];
            bool code = part && !rg__c_is_expr(part);
            if (part && (code ? exposed(part, place, nest) : rg__doubling_mentions(part, place))) return LIVE;
        }
        return ON;
    }
    return ABSENT;
}

bool rg__doubling_live(const struct rg_ctree *t, int var, const struct rg_cnode *nest)
{
    struct places p;
    places_of(&p, t->root, var);
    for (int i = 0; i < p.n; i++) {
        enum after r = after(t->root, p.item[i], nest);
        if (r == LIVE || r == ABSENT) return true;
    }
    return false;
}
