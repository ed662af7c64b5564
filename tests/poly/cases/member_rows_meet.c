// A helper goes along all of an array in a structure, by way of its first row, and so into the row that is read. want: sequential
#pragma regraph size(n=200) size(n=9)
typedef struct { float w[16][16]; } table;
static void smear(float *all, const float *row, int k)
{
    for (int i = 0; i < 16; i++) all[k * 15 + i] = 0.5f * row[i] + all[i];
}
void member_rows_meet(table t[1], int n, float s[n])
{
    for (int k = 0; k < n; k++) {
        smear(t->w[0], t->w[k % 16], k % 16);
        s[k] = t->w[3][k % 16];
    }
}
