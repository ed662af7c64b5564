// Texts that members of structures in an array lead to, or NULL: each is as long as its zero says. want: parallel
// chain: parallelize@C
// shows: docs_text_len
#pragma regraph size(n=300, docs.text.len=24) size(n=7, docs.text.len=3)
struct doc { const char *text; int words, longest, first; };
int strings_of_members(struct doc *docs, int n)
{
    int all = 0;
    for (struct doc *d = docs; d < docs + n; d++) {
        int length = 0;
        d->words = d->longest = 0;
        d->first = -1;
        if (!d->text) continue;
        for (const char *p = d->text; *p; p++) {
            long at = p - d->text, before = at - 2;
            if (*p == 'c' && p[1] == 'a' && before >= 0 && d->text[before] != 'a' && d->first < 0) d->first = (int)at;
            if (*p == 'b') {
                length = 0;
                continue;
            }
            if (length++ == 0) d->words++;
            if (length > d->longest) d->longest = length;
        }
        all += d->words;
    }
    return all;
}
