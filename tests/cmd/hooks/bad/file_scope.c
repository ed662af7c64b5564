// says: file_scope.c:7:
// says: in G[i][j + 1] the index is 16, and that dimension has 16 elements
static float G[24][16], H[24][16];
void sweep(void)
{
    for (int i = 0; i < 23; i++)
        for (int j = 0; j < 16; j++) H[i][j] = G[i][j] * 0.5f + G[i][j + 1];
}
