/* Files of pages, held in the program: what `make web` bundled (report.js, editor.js, ...: absent where it was built
 * without npm) and what stands in web/static. Made by tools/embed.sh. */
#ifndef RG_CMD_ASSET_H
#define RG_CMD_ASSET_H
#include <stddef.h>

struct rg_asset {
    const char *name; /* "report.js" */
    const char *data; /* a 0 byte stands behind the last */
    size_t size;
};
/* NULL: the program was built without it. Cost: a comparison for each file. */
const struct rg_asset *rg_web_asset(const char *name);
#endif
