/* The graph as the server read it, and the changes made here since, in order. What is shown is the one with the others done to it. */
const unknown = {
  score: 0,
  prior: 0,
  learnt: 0,
  bonus: 0,
  way: 0,
  chance: 0.5,
  gain: 0,
  sigma: 0,
  observations: 0,
  runs: 0,
  led: 0,
};

export class Model {
  constructor(reply, pending) {
    this.revision = reply.revision;
    this.words = reply.words;
    this.log = reply.log;
    this.name = reply.graph.name;
    this.base = reply.graph;
    this.pending = [];
    this.undone = []; /* unsaved changes that were taken back, the last one last */
    this.reset();
    for (const op of pending) this.change(op);
  }

  reset() {
    this.stepMap = new Map(this.base.steps.map((s) => [s.id, { ...s }]));
    this.edgeMap = new Map(this.base.edges.map((e) => [e.from + ' ' + e.to, { ...e }]));
  }

  steps() {
    return [...this.stepMap.values()];
  }
  edges() {
    return [...this.edgeMap.values()];
  }
  step(id) {
    return this.stepMap.get(id);
  }
  edge(from, to) {
    return this.edgeMap.get(from + ' ' + to);
  }
  canUndo() {
    return this.log.some((e) => !e.undone && !e.undo);
  }

  /* null, or why it can't be done */
  change(op) {
    const error = this.apply(op);
    if (!error) this.pending.push(op);
    if (!error) this.undone = [];
    return error;
  }

  undo() {
    const op = this.pending.pop(),
      rest = this.pending,
      undone = this.undone;
    this.pending = [];
    this.reset();
    for (const o of rest) this.change(o);
    this.undone = [...undone, op];
    return op;
  }

  redo() {
    const undone = this.undone,
      op = undone[undone.length - 1];
    if (!op) return null;
    this.change(op);
    this.undone = undone.slice(0, -1);
    return op;
  }

  apply(op) {
    if (op.op.endsWith('-edge')) return this.applyEdge(op);
    if (op.op === 'add-step') {
      if (!/^[A-Za-z][A-Za-z0-9._-]{0,63}$/.test(op.step.id || ''))
        return 'an id is a letter, then letters, digits, dots, _ or -';
      if (this.step(op.step.id)) return `there is a step ${op.step.id} already`;
      this.stepMap.set(op.step.id, { when: [], limiter: [], depth: null, centrality: 0, ...op.step });
      return null;
    }
    const s = this.step(op.id);
    if (!s) return `there is no step ${op.id}`;
    if (op.op === 'set-step') {
      for (const [k, v] of Object.entries(op.changes))
        if (v === null) delete s[k];
        else s[k] = v;
    } else if (op.op === 'remove-step') {
      this.stepMap.delete(op.id);
      for (const [k, e] of this.edgeMap) if (e.from === op.id || e.to === op.id) this.edgeMap.delete(k);
    } else if (op.op === 'rename') {
      if (this.step(op.now)) return `there is a step ${op.now} already`;
      this.stepMap.delete(op.id);
      this.stepMap.set(op.now, { ...s, id: op.now });
      for (const [k, e] of [...this.edgeMap]) {
        if (e.from !== op.id && e.to !== op.id) continue;
        this.edgeMap.delete(k);
        const now = { ...e, from: e.from === op.id ? op.now : e.from, to: e.to === op.id ? op.now : e.to };
        this.edgeMap.set(now.from + ' ' + now.to, now);
      }
    }
    return null;
  }

  applyEdge(op) {
    const key = op.from + ' ' + op.to,
      e = this.edgeMap.get(key);
    if (op.op === 'add-edge') {
      if (e) return `there is an edge from ${op.from} to ${op.to} already`;
      if ((op.from !== '@start' && !this.step(op.from)) || !this.step(op.to)) return 'a step of it is not there';
      this.edgeMap.set(key, {
        from: op.from,
        to: op.to,
        prior: op.prior,
        confidence: op.confidence,
        note: op.note,
        seen: 0,
        led: 0,
        weight: { ...unknown, chance: op.prior, score: 3.47 * op.prior ** 2 },
        unsaved: true,
      });
      return null;
    }
    if (!e) return `there is no edge from ${op.from} to ${op.to}`;
    if (op.op === 'remove-edge') this.edgeMap.delete(key);
    else {
      for (const k of ['prior', 'confidence', 'note', 'never']) if (op[k] !== undefined) e[k] = op[k];
      e.unsaved = true;
    }
    return null;
  }
}
