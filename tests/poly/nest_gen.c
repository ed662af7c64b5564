/* nest_gen SEED: a random C function on stdout (nest_gen.h). */
#include "nest_gen.h"
#include <stdlib.h>

int main(int argc, char **argv)
{
    static char text[NEST_TEXT];
    nest_generate(argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1, text);
    fputs(text, stdout);
    return 0;
}
