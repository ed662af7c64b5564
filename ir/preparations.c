/* Preparations: changes of the loop nest before the first step, by the words of steps. */
#include <rg/ctree.h>
#include <string.h>

static const char *const words[RG_N_PREPARATIONS] = {[RG_PREPARE_LAST_WRITER] = "last.writer",
                                                     [RG_PREPARE_PING_PONG] = "ping.pong",
                                                     [RG_PREPARE_FISSION] = "fission",
                                                     [RG_PREPARE_LAST_VALUE] = "last.value",
                                                     [RG_PREPARE_EXPAND] = "array.expand"};

const char *rg_preparation_word(enum rg_preparation p)
{
    return words[p];
}

unsigned rg_preparation_bit(const char *word)
{
    for (int i = 0; i < RG_N_PREPARATIONS; i++)
        if (!strcmp(words[i], word)) return 1u << i;
    return 0;
}

void rg_ctree_prepare(struct rg_arena *a, struct rg_ctree *t, enum rg_preparation what, const char *loop, int line)
{
    struct rg_prepared *all = rg_arena_alloc(a, (size_t)(t->n_prepared + 1) * sizeof *all);
    if (t->n_prepared) memcpy(all, t->prepared, (size_t)t->n_prepared * sizeof *all);
    all[t->n_prepared] = (struct rg_prepared){what, rg_arena_strdup(a, loop), line};
    t->prepared = all;
    t->n_prepared++;
}
