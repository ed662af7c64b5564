/* The only file that knows PREFIX: another one rebuilds nothing else. */
#include <dlfcn.h>
#include <link.h>
#include <rg/buf.h>
#include <rg/file.h>
#include <rg/places.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Folders of the source tree that `make install` puts together in share/regraph. */
static const struct {
    const char *name, *folder;
} in_tree[] = {{"devices", "runtime"}};
#define OTHERWISE "graphs"

static const char *tree_folder(const char *name)
{
    for (size_t i = 0; i < sizeof in_tree / sizeof *in_tree; i++)
        if (!strcmp(in_tree[i].name, name)) return in_tree[i].folder;
    return OTHERWISE;
}

static char *folder_of(const char *file)
{
    char *real = realpath(file, NULL), *slash = real ? strrchr(real, '/') : NULL;
    if (slash) *(slash == real ? slash + 1 : slash) = 0;
    return real;
}

/* The folder of what this code is in, libregraph or the program itself (0), and of the running program (1): a program
 * that uses the library may have files beside it that look like ours. */
static char *own_folder(int which)
{
    Dl_info place;
    struct link_map *object = NULL;
    if (which == 0 && dladdr1((void *)(size_t)&rg_place_data, &place, (void **)&object, RTLD_DL_LINKMAP) && object &&
        object->l_name[0])
        return folder_of(object->l_name);
    return folder_of("/proc/self/exe"); /* the main program's object has no name */
}

static char *existing(char *path)
{
    char *plain = realpath(path, NULL); /* it is shown: without ".." */
    free(path);
    return plain;
}

/* bin/, lib/ and lib/TRIPLET/ stand under the prefix; build/ and build/tests/MODULE/ under the source tree; a folder
 * that was put together to travel has the files beside its programs. */
static char *near(const char *base, const char *name)
{
    static const char *const up[] = {"", "/..", "/../..", "/../../.."};
    char *found = NULL;
    for (size_t i = 0; i < sizeof up / sizeof *up && !found; i++) {
        found = existing(rg_xasprintf("%s%s/share/regraph/%s", base, up[i], name));
        if (!found) found = existing(rg_xasprintf("%s%s/%s/%s", base, up[i], tree_folder(name), name));
    }
    return found ? found : existing(rg_xasprintf("%s/%s", base, name));
}

char *rg_place_data(const char *name)
{
    char *found = NULL;
    for (int i = 0; i < 2 && !found; i++) {
        char *base = own_folder(i);
        if (base) found = near(base, name);
        free(base);
    }
    return found ? found : rg_xasprintf("%s/%s", RG_DATADIR, name);
}

static char *runnable(char *path)
{
    if (access(path, X_OK) == 0) return path;
    free(path);
    return NULL;
}

char *rg_place_program(const char *name)
{
    static const char *const below[] = {"", "/../bin", "/../../bin"};
    char *found = NULL;
    for (int i = 0; i < 2 && !found; i++) {
        char *base = own_folder(i);
        for (size_t k = 0; base && k < sizeof below / sizeof *below && !found; k++)
            found = runnable(rg_xasprintf("%s%s/%s", base, below[k], name));
        free(base);
    }
    if (!found) found = runnable(rg_xasprintf("%s/%s", RG_BINDIR, name));
    return found ? found : rg_xstrdup(name);
}
