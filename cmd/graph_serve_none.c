/* regraph-graph serve, built without libmicrohttpd. */
#include "cmd/graph.h"

int graph_serve(int argc, char **argv)
{
    (void)argc, (void)argv;
    rg_cmd_message("serve: this program was built without libmicrohttpd: install libmicrohttpd-dev and build again");
    return RG_EXIT_DEVICE;
}
