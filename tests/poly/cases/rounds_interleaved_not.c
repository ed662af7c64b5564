// Steps of 2 from a width of 3 on, where the parts overlap, and places that are no mirror: as they stand. want: sequential
#pragma regraph size(n=24) size(n=6) extent(z: 3 * n + 4)
void not_pairs(int *z, int n)
{
    int j = 0;
    for (int i = 0; i < n; i += 2) {
        if (j < i) z[i] += 3 * z[j] % 7;
        int m = n;
        while (m >= 2 && j > m) {
            j -= m;
            m >>= 1;
        }
        j = (j + m) % n;
    }
    for (int width = 3; width < n; width *= 2)
        for (int first = 0; first < width; first += 2)
            for (int low = first; low < n; low += 2 * width) {
                int x = z[low + width] % 1000;
                z[low + width] = (z[low] - x + z[low + width + 1]) % 1000;
                z[low] += x;
            }
}
