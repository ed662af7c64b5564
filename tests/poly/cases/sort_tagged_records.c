// A comparison alone names typedefs of tagged structures and pointers, an enum; strcmp of members. want: parallel
// chain: parallelize@C
#include <stdlib.h>
#include <string.h>
enum level { LOW = 1, MIDDLE = 5, HIGH = 9 };
typedef double weight;
typedef struct record {
    char name[8];
    int level, id;
    float mark;
} Record;
typedef const Record *RecordRef;
static weight key(enum level l)
{
    return l == HIGH ? 10.0 : (weight)l;
}
static int compare(const void *pa, const void *pb)
{
    const Record *a = pa;
    RecordRef b = pb;
    enum level of_a = a->level % 2 ? LOW : HIGH, of_b = b->level % 2 ? LOW : HIGH;
    if (key(of_a) != key(of_b)) return key(of_a) < key(of_b) ? 1 : -1;
    int c = strcmp(a->name, b->name);
    return c ? c : (a->id > b->id) - (a->id < b->id);
}

#pragma regraph size(n=3000) size(n=1) size(n=300) input(r.level: uniform(0, 9)) input(r.name: uniform(0, 2))
void ranks(Record *r, int n, int *restrict place)
{
    qsort(r, n, sizeof(Record), compare);
    for (int i = 0; i < n; i++) place[i] = i > 0 && r[i].level == r[i - 1].level ? 0 : i + 1;
}
