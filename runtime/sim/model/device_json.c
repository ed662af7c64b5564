/* Device descriptions: runtime/devices/NAME.json, found in the installed data, beside the program or in the source
 * tree. The h200 is also built in, so that something always works. */
#include "runtime/sim/model/device_file_json.h"
#include "runtime/sim/device_sim.h"
#include <rg/buf.h>
#include <rg/file.h>
#include <rg/log.h>
#include <rg/places.h>
#include <dirent.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char builtin_h200[] =
#include "runtime/sim/model/h200_builtin.inc"
    ;

static char *folder(int i) /* places looked at, in this order; NULL after the last */
{
    switch (i) {
    case 0:
        return rg_xstrdup(getenv("RG_DEVICES") ? getenv("RG_DEVICES") : "");
    case 1:
        return rg_place_data("devices");
    case 2:
        return rg_xstrdup("runtime/devices");
    default:
        return NULL;
    }
}

static enum rg_status number(const json_t *o, const char *key, double *out, const char *file, struct rg_error *err)
{
    const json_t *v = json_object_get(o, key);
    if (!json_is_number(v) || !(json_number_value(v) > 0))
        return rg_error_at(err, RG_INPUT, file, 0, 0, "\"%s\" must be a positive number", key);
    *out = json_number_value(v);
    return RG_OK;
}

static enum rg_status whole(const json_t *o, const char *key, int64_t lo, int64_t hi, int64_t *out, const char *file,
                            struct rg_error *err)
{
    double v = json_number_value(json_object_get(o, key));
    if (!(v >= (double)lo && v <= (double)hi) || v != (double)(int64_t)v)
        return rg_error_at(err, RG_INPUT, file, 0, 0, "\"%s\" must be a whole number from %lld to %lld", key,
                           (long long)lo, (long long)hi);
    *out = (int64_t)v;
    return RG_OK;
}

static enum rg_status parse(const char *text, size_t len, const char *file, const char *name, struct sim_model *m,
                            struct rg_error *err)
{
    json_error_t je;
    json_t *o = json_loadb(text, len, 0, &je);
    if (!o) return rg_error_at(err, RG_INPUT, file, je.line, je.column, "%s", je.text);
    memset(m, 0, sizeof *m);
    enum rg_status s = RG_OK;
    const char *format = json_string_value(json_object_get(o, "format")),
               *arch = json_string_value(json_object_get(o, "arch"));
    if (!format || strcmp(format, "regraph-device/1"))
        s = rg_error_at(err, RG_INPUT, file, 0, 0, "\"format\" must be \"regraph-device/1\"");
    if (!s && !arch) s = rg_error_at(err, RG_INPUT, file, 0, 0, "\"arch\" is missing");
    const json_t *f = json_object_get(o, "facts"), *t = json_object_get(o, "timing");
    struct rg_device_facts *a = &m->facts;
    int64_t v;
#define WHOLE(field) WHOLE_FROM(field, 1)
#define WHOLE_FROM(field, lo)                                                                                          \
    if (!s && !(s = whole(f, #field, lo, sizeof a->field == 4 ? INT_MAX : 1ll << 50, &v, file, err)))                  \
    a->field = (__typeof__(a->field))v
#define REAL(field)                                                                                                    \
    if (!s) s = number(f, #field, &a->field, file, err)
    WHOLE(sms);
    WHOLE(max_threads_per_block);
    WHOLE(shared_per_block);
    WHOLE(shared_per_block_optin);
    WHOLE(shared_per_sm);
    WHOLE(regs_per_sm);
    WHOLE_FROM(max_threads_per_sm, 32);
    WHOLE(max_blocks_per_sm);
    WHOLE(l2_bytes);
    WHOLE(memory_bytes);
    REAL(clock_hz);
    REAL(dram_bytes_s);
    REAL(copy_bytes_s);
    REAL(fp32_flop_s);
    REAL(fp64_flop_s);
    if (json_object_get(f, "pcie_bytes_s")) REAL(pcie_bytes_s); /* device files of before have none */
    if (!s && !(s = whole(o, "reg_unit", 1, 65536, &v, file, err))) m->reg_unit = (int)v;
#define X(field, text)                                                                                                 \
    if (!s) s = number(t, #field, &m->field, file, err);
    SIM_MODEL_FIELDS(X)
#undef X
    if (!s) s = rg__sim_accuracy_read(o, file, m, err);
    if (!s) {
        a->warp = 32;
        m->max_warps_per_sm = (int)(a->max_threads_per_sm / 32);
        strncpy(a->arch, arch, sizeof a->arch - 1);
        strncpy(a->name, "sim:", sizeof a->name - 1);
        strncat(a->name, name, sizeof a->name - 5);
    }
    json_decref(o);
    return s;
}

void rg__sim_device_names(struct rg_buf *out)
{
    char *f;
    rg_buf_str(out, "h200");
    for (int i = 0; (f = folder(i)); i++) {
        DIR *d = *f ? opendir(f) : NULL;
        for (struct dirent *e; d && (e = readdir(d));) {
            size_t n = strlen(e->d_name);
            if (n < 6 || strcmp(e->d_name + n - 5, ".json")) continue;
            char *name = rg_xstrndup(e->d_name, n - 5), *padded = rg_xasprintf(" %s,", name),
                 *have = rg_xasprintf(" %s,", out->data);
            if (!strstr(have, padded)) rg_buf_printf(out, ", %s", name);
            free(have);
            free(padded);
            free(name);
        }
        if (d) closedir(d);
        free(f);
    }
}

enum rg_status rg__sim_model_load(const char *name, struct sim_model *out, struct rg_error *err)
{
    bool plain = name && *name && strlen(name) < 32;
    for (const char *p = name; plain && *p; p++)
        plain = (*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9') || *p == '-' || *p == '_';
    char *f;
    for (int i = 0; plain && (f = folder(i)); i++) {
        char *path = rg_xasprintf("%s/%s.json", f, name), *text;
        size_t len;
        free(f);
        if (path[0] == '/' && path[1] == name[0] && !strchr(path + 1, '/')) { /* an empty folder */
            free(path);
            continue;
        }
        if (!rg_file_exists(path)) {
            free(path);
            continue;
        }
        enum rg_status s = rg_file_read(path, 1 << 20, &text, &len, err);
        if (!s) {
            s = parse(text, len, path, name, out, err);
            free(text);
        }
        free(path);
        return s;
    }
    if (plain && !strcmp(name, "h200"))
        return parse(builtin_h200, sizeof builtin_h200 - 1, "built-in h200", name, out, err);
    struct rg_buf known = RG_BUF_INIT;
    rg__sim_device_names(&known);
    rg_error_set(err, RG_UNAVAILABLE, "no simulated device '%.40s'; known: %s", name ? name : "", known.data);
    rg_buf_release(&known);
    return RG_UNAVAILABLE;
}

bool rg_device_sim_of(const char *gpu, int sms, char *name, size_t size)
{
    struct rg_buf names = RG_BUF_INIT;
    struct sim_model *m = rg_xcalloc(1, sizeof *m);
    bool found = false;
    char *save = NULL;
    rg__sim_device_names(&names);
    for (char *n = strtok_r(names.data, ", ", &save); n && !found; n = strtok_r(NULL, ", ", &save)) {
        struct rg_error e = RG_ERROR_INIT;
        if (rg__sim_model_load(n, m, &e) != RG_OK)
            rg_log(RG_LOG_INFO, "the description of '%s' cannot be used: %s", n, e.text);
        else
            for (int i = 0; i < m->n_gpus && !found; i++) found = !strcmp(m->gpus[i], gpu) && m->facts.sms == sms;
        rg_error_clear(&e);
        if (found) snprintf(name, size, "%s", n);
    }
    free(m);
    rg_buf_release(&names);
    return found;
}
