/* A search graph without a search around it. */
#ifndef RG_TESTS_GRAPH_FIXTURE_H
#define RG_TESTS_GRAPH_FIXTURE_H
#include "engine/engine.h"
#include "fake_world.h"

struct bench {
    struct fake_world w;
    struct rg__search s;
    struct rg_search_options o;
    struct rg_search_result out;
    struct rg_regraph *g;
    struct rg_coder coder, *coders[1];
    struct rg_evaluator ev;
    bool forbidden[FAKE_STEPS], down[1];
};

static void set_up(struct bench *b)
{
    memset(b, 0, sizeof *b);
    b->w = (struct fake_world){
        .base_us = 100, .n = 5, .e = {{.id = "a"}, {.id = "b"}, {.id = "c"}, {.id = "d"}, {.id = "e"}}};
    b->g = fake_graph(&b->w, NULL);
    b->coder = fake_coder(&b->w);
    b->coders[0] = &b->coder;
    b->ev = fake_evaluator(&b->w);
    b->o = fake_options();
    b->s = (struct rg__search){.o = &b->o,
                               .g = b->g,
                               .coders = b->coders,
                               .n_coders = 1,
                               .ev = &b->ev,
                               .out = &b->out,
                               .forbidden = b->forbidden,
                               .coder_down = b->down,
                               .in_flight = 1,
                               .naive_us = 100};
    b->s.p = rg__params_default;
    rg_rng_seed(&b->s.rng, 1);
    rg__weights_init(&b->s);
    rg__node_add(&b->s, NULL, 0);
}

static void tear_down(struct bench *b)
{
    free(b->s.weights.w);
    free(b->s.tallies);
    free(b->s.pooled);
    free(b->s.own);
    rg__drafted_release(&b->s);
    rg__graph_release(&b->s);
    rg_regraph_free(b->g);
}
#endif
