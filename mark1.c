/* which buckets are used, how many */
int used(int n, int m, const int *key, unsigned char *seen)
{
    for (int i = 0; i < m; i++) seen[i] = 0;
    for (int i = 0; i < n; i++) if (!seen[key[i]]) seen[key[i]] = 1;
    int c = 0;
    for (int i = 0; i < m; i++) c += seen[i];
    return c;
}
