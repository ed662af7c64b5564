/* The member "constants" of a saved problem: {"N": 1024}. */
#ifndef RG_BASE_CONSTANTS_JSON_H
#define RG_BASE_CONSTANTS_JSON_H
#include "base/json_util.h"
#include <rg/problem.h>

json_t *rg__constants_save(const struct rg_problem *p);
/* None is fine. RG_INPUT where the member is no object of identifiers and integers. */
enum rg_status rg__constants_load(struct rg_problem *p, const json_t *problem, struct rg_error *err);
#endif
