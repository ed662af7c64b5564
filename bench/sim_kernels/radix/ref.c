/* one pass of a radix sort: keys in the order of the eight bits at shift, equals in the order they came */
void ref_radix(int n, int shift, const unsigned *key, unsigned *out)
{
    int start[256] = { 0 }, sum = 0;
    for (int i = 0; i < n; i++) start[key[i] >> shift & 255]++;
    for (int d = 0; d < 256; d++) { int c = start[d]; start[d] = sum; sum += c; }
    for (int i = 0; i < n; i++) out[start[key[i] >> shift & 255]++] = key[i];
}
