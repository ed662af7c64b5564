// Two rows of a dynamic programming table for each pair, as long as data say. want: parallel
// chain: parallelize,coalesce
// shows: \*above
#pragma regraph size(n=60,most=40) size(n=5,most=7)
#pragma regraph input(len: uniform(0, most)) input(text: uniform(0, 3))
#include <stdlib.h>
void common_parts(int n, int most, const int len[n], const signed char text[n][most], int longest[n][n])
{
    int *above = malloc(sizeof(int) * (size_t)(most + 1)), *here = malloc(sizeof(int) * (size_t)(most + 1));
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            for (int j = 0; j <= len[b]; j++) above[j] = 0;
            for (int i = 1; i <= len[a]; i++) {
                here[0] = 0;
                for (int j = 1; j <= len[b]; j++)
                    here[j] = text[a][i - 1] == text[b][j - 1]    ? above[j - 1] + 1
                              : above[j] > here[j - 1] ? above[j]
                                                       : here[j - 1];
                for (int j = 0; j <= len[b]; j++) above[j] = here[j];
            }
            longest[a][b] = above[len[b]];
        }
    free(above);
    free(here);
}
