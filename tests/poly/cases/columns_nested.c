// An array of structures with pointers behind a member of another structure, structures inside them. want: parallel
#pragma regraph size(net.n=40) size(net.n=7)
struct box { float lo, hi; };
struct list { const int *at; int n; };
struct node { struct list to; struct box in; float bias; };
struct net { int n; const struct node *nodes; const float *value; float *out; };
#pragma regraph extent(net.value: net.n) extent(net.out: net.n)
void columns_nested(const struct net *net)
{
    for (int i = 0; i < net->n; i++) {
        const struct node *v = &net->nodes[i];
        float s = v->bias;
        for (int k = 0; k < v->to.n; k++) s += net->value[v->to.at[k]];
        net->out[i] = s < v->in.lo ? v->in.lo : s > v->in.hi ? v->in.hi : s;
    }
}
