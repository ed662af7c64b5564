/* Parts of reading runtime/devices/NAME.json. */
#ifndef RG_SIM_DEVICE_FILE_JSON_H
#define RG_SIM_DEVICE_FILE_JSON_H
#include "runtime/sim/model/model.h"

struct json_t; /* jansson's */
/* Members "gpus" and "accuracy" of the file `o`, into *m. Both may be missing; what is there must be right. */
enum rg_status rg__sim_accuracy_read(const struct json_t *o, const char *file, struct sim_model *m,
                                     struct rg_error *err);
#endif
