// An integer that decides how, not how much, and that is refused below 4 and where it is no multiple of it. want: parallel
int guards_mode(unsigned char *pix, unsigned n, int levels)
{
    if (levels < 4 || levels > 256 || levels % 4 != 0 || n == 0) return -1;
    for (unsigned i = 0; i < n; i++) pix[i] = (unsigned char)((pix[i] * (levels - 1) + 127) / 255 * 255 / (levels - 1));
    return 0;
}
