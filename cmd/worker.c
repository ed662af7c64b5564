/* regraph-worker: the process that compiles, runs the user's C, or owns a device. */
#include <rg/worker.h>

int main(int argc, char **argv)
{
    return rg_worker_main(argc, argv);
}
