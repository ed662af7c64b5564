// A shift that sees the sign, through a pointer to bytes without: as the C has it. want: sequential
#pragma regraph size(n=6000) size(n=1) size(n=700) extent(s: n) input(s: uniform(-128, 127))
void signs_stored_not(char *s, int n)
{
    unsigned char *p = (unsigned char *)s;
    for (int i = 0; i < n; i++) p[i] >>= 1;
}
