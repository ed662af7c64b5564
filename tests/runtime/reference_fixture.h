/* Cases filled by a reference worker alone. Include it behind cmocka.h. */
#ifndef RG_TEST_REFERENCE_FIXTURE_H
#define RG_TEST_REFERENCE_FIXTURE_H
#include "farm_fixture.h"
#include "runtime/farm/farm.h"
#include <rg/file.h>

/* A farm with nothing but a reference worker. */
static inline struct rg_farm *farm_of(const struct rg_problem *p)
{
    struct rg_farm *f = rg_xcalloc(1, sizeof *f);
    struct rg_error e = RG_ERROR_INIT;
    f->problem = p;
    f->simulated = true;
    f->o.seed = 1;
    f->o.reference_s = 1.5;
    f->worker_path = rg_xstrdup(worker);
    strcpy(f->tmp, "/tmp/regraph-test-XXXXXX");
    assert_non_null(mkdtemp(f->tmp));
    f->n_workers = 2;
    f->n_reference = 1;
    f->workers[0].role = FARM_RUN;
    f->workers[1].role = FARM_REFERENCE;
    if (rg__shm_create(&f->shm, &e) != RG_OK) fail_msg("%s", e.text);
    char *json = rg_problem_to_json(p);
    struct rg_mapping m;
    assert_int_equal(rg__shm_alloc(&f->shm, (int64_t)strlen(json) + 1, &f->problem_range, NULL), RG_OK);
    assert_int_equal(rg__shm_map(f->shm.fd, f->problem_range, true, &m, NULL), RG_OK);
    strcpy(m.data, json);
    rg__shm_unmap(&m);
    free(json);
    return f;
}
#endif
