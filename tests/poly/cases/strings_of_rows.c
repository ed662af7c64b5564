// Strings behind a table of pointers: each is as long as its zero says. want: parallel
// chain: parallelize@C
// shows: names_len
#pragma regraph size(n=300, names.len=24) size(n=7, names.len=3) size(n=1, names.len=1)
void strings_of_rows(const char *const *names, int n, unsigned *hash, int *length, int *capitals)
{
    for (int i = 0; i < n; i++) {
        unsigned h = 5381;
        int k = 0, c = 0;
        for (const char *p = names[i]; *p; p++) {
            k++;
            h = h * 33 + (unsigned char)*p;
            if (*p >= 'A' && *p <= 'Z' && (p[1] < 'A' || p[1] > 'Z')) c++;
        }
        hash[i] = h;
        length[i] = k;
        capitals[i] = c;
    }
}
