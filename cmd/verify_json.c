/* The --json document of regraph-verify, schema regraph-verify/1 (docs/certificate.md). */
#include "base/json_util.h"
#include "cmd/verify.h"
#include <stdlib.h>

void verify_print_json(const char *path, const struct rg_certificate *c, const struct rg_farm_info *i,
                       const struct rg_evaluation *e, const struct findings *f)
{
    json_t *o = json_object(), *list = json_array();
    for (int k = 0; k < f->n; k++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "level", finding_word(f->items[k].level), "what",
                                              f->items[k].what, "text", rg_json_text(f->items[k].text)));
    json_object_set_new(o, "schema", json_string("regraph-verify/1"));
    json_object_set_new(o, "certificate", rg_json_text(path));
    json_object_set_new(o, "function", rg_json_text(c->function));
    json_object_set_new(o, "device", rg_json_text(i->device));
    json_object_set_new(o, "holds", json_boolean(findings_hold(f)));
    json_object_set_new(o, "outcome", json_string(rg_outcome_word(e->outcome)));
    json_object_set_new(o, "message", rg_json_text(e->message));
    json_object_set_new(o, "max_error", rg_json_number(e->max_error));
    json_object_set_new(o, "rms_error", rg_json_number(e->rms_error));
    json_object_set_new(o, "kernel_ms", e->outcome == RG_OUTCOME_OK ? json_real(e->time_us * 1e-3) : json_null());
    json_object_set_new(o, "estimated", json_boolean(e->estimated));
    json_object_set_new(o, "findings", list);
    char *text = rg_json_pretty(o);
    puts(text);
    free(text);
    json_decref(o);
}
