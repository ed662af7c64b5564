#pragma regraph size(n=500)
void hash(unsigned n, unsigned *out)
{
    for (unsigned i = 0; i < n; i++) {
        unsigned h = i * 2654435761u;
        h ^= h >> 16;
        out[i] = h;
    }
}
