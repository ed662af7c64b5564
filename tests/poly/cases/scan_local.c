// A scan of a table of the function's own, over the grid: what stands in front of its first iteration is read there. want: parallel
// chain: scan.block
#pragma regraph size(n=3000) size(n=50) size(n=1)
void scan_local(int n, const unsigned char x[n], int first[256])
{
    int count[256] = {0};
    for (int i = 0; i < n; i++) count[x[i]]++;
    for (int d = 1; d < 256; d++) count[d] += count[d - 1];
    for (int d = 0; d < 256; d++) first[d] = 3 * count[d];
}
