// A string that a loop goes along to its zero, changed on the way: as long as it was when the function was called. want: parallel
int upper(char *s, const char *key)
{
    int n = 0;
    unsigned h = 5381;
    for (int i = 0; key[i] != '\0'; i++) h = h * 33 + (unsigned char)key[i];
    while (*s) {
        if (*s >= 'b' && *s <= 'c') {
            *s = (char)(*s - 32);
            n++;
        }
        s++;
    }
    return n + (int)(h & 255);
}
