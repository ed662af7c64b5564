/* Sizes that are powers of two, for functions that take no others: a transform by halves leaves its arrays at them, or
 * turns back. */
#include "cmd/search.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_ALONE = 3, MOST_POWER = 1 << 30 };

bool search_powers_left(const struct search_session *s)
{
    const int n = s->powers.n;
    return s->powers_tried < (n > 1 && n <= MOST_ALONE ? n + 1 : n > 0);
}

void search_note_powers(struct search_session *s)
{
    struct rg_problem *p = s->problem;
    const char *before = p->size_note;
    if (!s->powers_note) return;
    p->size_note = rg_arena_printf(&p->arena, "%s%s%s", before ? before : "", before ? "; " : "", s->powers_note);
    rg_problem_rehash(p);
}

void search_forget_powers(struct search_session *s)
{
    if (s->powers.n) s->o.requires_.n = 0; /* the user has said none then */
    s->powers.n = s->powers_tried = 0;
    s->powers_note = NULL;
}

int search_name_powers(struct search_session *s, bool ours)
{
    enum { LEAST = 8 };
    const struct rg_problem *p = s->problem;
    s->powers.n = s->powers_tried = 0;
    for (int k = 0; s->tree && !s->o.problem_file && p->n_sizes && k < p->n_size_params; k++) {
        const struct rg_param *q = &p->params[p->size_params[k]];
        const int64_t v = p->sizes[0].values[k];
        const bool may = ours ? q->proposed : q->proposed || !(v & (v - 1));
        if (q->derived || v < LEAST || v > MOST_POWER || s->o.requires_.n || !may) continue;
        rg_strings_add(&s->powers, rg_arena_strdup(&s->added, rg_param_shown(q)));
    }
    return s->powers.n;
}

enum rg_status search_with_powers(struct search_session *s, struct rg_error *err)
{
    struct rg_buf names = RG_BUF_INIT;
    if (!s->powers_tried && !s->powers.n) search_name_powers(s, false);
    /* each alone, then all: the others may be how many there are */
    const int n = s->powers.n, only = n > 1 && n <= MOST_ALONE && s->powers_tried < n ? s->powers_tried : -1;
    const bool more = !s->powers_tried || search_powers_left(s);
    if (s->powers_tried && n) s->o.requires_.n = 0;
    for (int k = 0; k < n && more; k++) {
        if (only >= 0 && k != only) continue;
        rg_strings_add(&s->o.requires_, rg_arena_printf(&s->added, "%d %% %s == 0", MOST_POWER, s->powers.items[k]));
        rg_buf_printf(&names, "%s%s", names.len ? ", " : "", s->powers.items[k]);
    }
    s->powers_tried++;
    enum rg_status st = names.len ? search_reload(s, err) : rg_error_set(err, RG_INPUT, "no size is a power of two");
    if (st == RG_OK) {
        s->powers_note = rg_arena_printf(&s->added, "%s a power of two: the C does not take other sizes", names.data);
        search_note_powers(s);
        if (s->o.save_problem) st = rg_problem_save(s->problem, s->o.save_problem, err);
    }
    rg_buf_release(&names);
    return st;
}
