// expect: the extent of 'ahead', 'filled', 'either', 'back' cannot be read off the code
/* a character behind the zero is read, one is stored, a row is left for another in the middle of the string, and a place
 * that may be behind is read */
void extent_strings(char **ahead, char **filled, const char **either, const char **back, int by, int n, int *out)
{
    for (int i = 0; i < n; i++) {
        int a = 0, b = 0, c = 0;
        for (int k = 0; ahead[i][k]; k++) a += ahead[i][k + 2];
        for (int k = 0; filled[i][k]; k++) {
            filled[i][k] ^= 1;
            b++;
        }
        for (int k = 0, j = i; either[j][k]; k++) {
            c += either[j][k];
            if (c & 4) j = n - 1 - j;
        }
        for (int k = 0; back[i][k]; k++) c += back[i][k - by];
        out[i] = a + b + c;
    }
}
