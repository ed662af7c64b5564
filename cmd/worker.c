/* regraph-worker: the process that compiles, runs the user's C, or owns a device. */
#include <rg/worker.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        puts("Usage: regraph-worker --role compile|run|reference [--device cuda:N|sim:NAME] [--tmp DIR]\n\n"
             "Compiles candidates, runs them on a device, or runs the user's C. regraph-search starts workers and speaks\n"
             "JSON lines with them (docs/worker.md); there is nothing for a person to do here.");
        return fflush(stdout) ? 3 : 0;
    }
    return rg_worker_main(argc, argv);
}
