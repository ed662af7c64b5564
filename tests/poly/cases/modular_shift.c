// Hashes that shift and add up themselves. want: parallel
unsigned modular_shift(const unsigned char *s, int n, unsigned *all)
{
    unsigned h = 5381, g = 7;
    for (int i = 0; i < n; i++) {
        h = (h << 5) + h + s[i];
        g += (g << 4) - s[i];
        all[i] = h ^ g;
    }
    return h;
}
