/* Sizes that nobody gave, where the C was seen to take longer at them than its loops say: smaller ones. What the user
 * states stays. */
#include "cmd/search.h"
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>

static const double most_s = 1;        /* of the C, at such sizes */
static const double most_share = 0.05; /* of --time: or that */
static const double least_s = 0.3;

void search_brief(struct search_session *s, struct rg_farm_options *f)
{
    bool ours = false;
    const struct rg_problem *p = s->problem;
    for (int k = 0; k < p->n_size_params; k++) ours = ours || p->params[p->size_params[k]].proposed;
    const bool may = !s->o.resume && !s->o.problem_file && s->tree;
    const double share = s->o.time > 0 ? most_share * s->o.time : most_s, seconds = share < least_s  ? least_s
                                                                                    : share > most_s ? most_s
                                                                                                     : share;
    f->most_timed_s = may && ours && !s->sizes_stay ? seconds : 0;
    f->most_verify_s = may && !s->verify_sizes_stay ? seconds : 0;
}

static bool same_sizes(const struct rg_problem *p, const struct rg_problem *q)
{
    bool same = p->n_size_params == q->n_size_params && p->n_sizes == q->n_sizes;
    for (int i = 0; i < p->n_sizes && same; i++)
        same = p->sizes[i].verify == q->sizes[i].verify && p->sizes[i].on_sim == q->sizes[i].on_sim &&
               !memcmp(p->sizes[i].values, q->sizes[i].values, (size_t)p->n_size_params * sizeof(int64_t));
    return same;
}

/* What was said of the inputs after the problem had been read. */
static void keep_note(const struct rg_problem *was, struct rg_problem *p)
{
    const char *old = was->init_note, *now = p->init_note;
    if (!old || (now && strncmp(old, now, strlen(now)) != 0)) return;
    p->init_note = rg_arena_strdup(&p->arena, old);
    rg_problem_rehash(p);
}

/* One of the two counts goes up until the sizes are others; false: the problem is as it was. */
static bool halve(struct search_session *s, int *halvings, int by)
{
    enum { STEP = 2, TRIES = 6 };
    const int before = *halvings;
    struct rg_problem *was = s->problem;
    struct rg_ctree *tree = s->tree;
    struct rg_error ignored = RG_ERROR_INIT; /* then the sizes stay, and the run says what is wrong with them */
    bool other = false;
    s->problem = NULL;
    s->tree = NULL;
    for (int i = 0; i < TRIES && !other && before + by <= RG_MAX_HALVINGS; i++, by += STEP) {
        *halvings = before + by;
        if (search_reload(s, &ignored) != RG_OK || search_keep_likely(s, &ignored) != RG_OK) break;
        search_note_powers(s);
        other = !same_sizes(was, s->problem);
    }
    rg_error_clear(&ignored);
    if (other) {
        keep_note(was, s->problem);
    } else {
        struct rg_problem *same = s->problem;
        if (s->tree) rg_ctree_free(s->tree);
        s->problem = was;
        s->tree = tree;
        *halvings = before;
        was = same;
        tree = NULL;
    }
    if (tree) rg_ctree_free(tree);
    rg_problem_free(was);
    if (s->o.save_problem) rg_problem_save(s->problem, s->o.save_problem, NULL);
    return other;
}

void search_with_less(struct search_session *s, int timed_less, int verify_less)
{
    if (timed_less && !halve(s, &s->halvings, timed_less)) s->sizes_stay = true;
    if (verify_less && !halve(s, &s->verify_halvings, verify_less)) s->verify_sizes_stay = true;
}

enum rg_status search_resumed_sizes(struct search_session *s, struct rg_error *err)
{
    char *path = rg_xasprintf("%s/problem.json", s->out_dir);
    struct rg_problem *saved = NULL;
    struct rg_error ignored = RG_ERROR_INIT; /* what is wrong with the folder is told when it is opened */
    if (rg_file_exists(path)) rg_problem_load(path, &saved, &ignored);
    const int halvings = saved ? saved->size_halvings : 0, verify = saved ? saved->verify_halvings : 0,
              times = saved ? saved->main_times : s->main_times;
    rg_error_clear(&ignored);
    rg_problem_free(saved);
    free(path);
    if ((!halvings && !verify && times == s->main_times) || s->o.problem_file) return RG_OK;
    s->main_times = times;
    s->halvings = halvings;
    s->verify_halvings = verify;
    return search_reload(s, err);
}
