/* The side panel: what is selected, with its weight, its evidence and the runs behind it, and the forms that change it. */
import { el } from './dom.js';
import { get } from './api.js';

const number = (v, digits = 2) => (v === undefined || v === null ? '-' : Number(v).toFixed(digits));
const times = (ln) => (ln === undefined || ln === null ? '-' : Math.exp(ln).toFixed(2) + 'x');
const field = (label, input, hint) => el('label', { class: 'field' }, el('span', {}, label), input, hint ? el('small', {}, hint) : null);
const choice = (values, now, attributes) => el('select', attributes, ...values.map((v) => el('option', { value: v[0], selected: v[0] === now }, v[1])));
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/* What of a step is a line, a text, or JSON to type. */
const TEXTS = [['title', 'Title', 'line'], ['hint', 'Hint: what a coder must know', 'text'], ['precondition', 'Precondition', 'text'], ['source', 'Source', 'line'], ['poly', 'Edit of the built-in coder', 'line']];
const VALUES = [['tunables', 'Tunables', '{"TILE": [16, 32]}: the first value is where tuning starts'], ['require', 'Constraints', '["TILE*TILE <= 1024"]'],
  ['check', 'Check', '{"pattern": "__shared__", "change": "appears"}'], ['example', 'Example', '{"before": "...", "after": "..."}']];

export class Panel {
  constructor(element, app) {
    this.element = element;
    this.app = app;
    this.what = null;
  }

  show(what) {
    this.what = what;
    if (!what) return this.showLog();
    if (what.edge) return this.showEdge(...what.edge);
    return what.step === '@start' ? this.showStart() : this.showStep(what.step);
  }

  head(title, sub) {
    return [el('div', { class: 'row' }, el('h2', {}, title), el('button', { type: 'button', class: 'close', 'aria-label': 'Close', onclick: () => this.app.select(null) }, '\u00d7')), sub ? el('p', { class: 'sub' }, sub) : null];
  }

  showLog() {
    const log = this.app.model.log.slice(0, 20);
    this.element.replaceChildren(el('h2', {}, 'Edits'), log.length ? el('ol', { class: 'log' }, ...log.map((e) => el('li', { class: e.undone ? 'undone' : '' },
      el('b', {}, e.at.replace('T', ' ').replace('Z', '')), ` ${e.author || 'someone'}: ${e.did}`, el('ul', {}, ...e.changes.slice(0, 5).map((c) => el('li', {}, c)))))) :
      el('p', {}, 'No edits yet. Choose a step in the list or the picture; ? lists the keys.'));
  }

  /* ---- edges of a step ---- */

  edgeList(title, edges, other) {
    const sorted = edges.sort((a, b) => b.weight.score - a.weight.score), rows = sorted.slice(0, 100).map((e) => el('tr', {},
      el('td', {}, el('button', { type: 'button', class: 'link', onclick: () => this.app.select({ edge: [e.from, e.to] }) }, other(e) + (e.never ? ' (never)' : ''))),
      el('td', { class: 'n' }, number(e.weight.score)), el('td', { class: 'n' }, number(e.prior)), el('td', { class: 'n' }, String(e.seen))));
    return el('section', {}, el('h3', {}, `${title} (${edges.length})`), edges.length ? el('table', {},
      el('thead', {}, el('tr', {}, ...['step', 'score', 'prior', 'seen'].map((h, i) => el('th', { scope: 'col', class: i ? 'n' : '' }, h)))), el('tbody', {}, ...rows)) : el('p', {}, 'none'));
  }

  connectForm(from) {
    const to = el('input', { list: 'steps', required: true, id: 'connect-to', autocomplete: 'off' }), prior = el('input', { type: 'number', min: 0, max: 1, step: 'any', value: '0.5', id: 'connect-prior' });
    return el('form', { class: 'inline', onsubmit: (e) => { e.preventDefault(); this.app.edit({ op: 'add-edge', from, to: to.value, prior: Number(prior.value), confidence: 1 }, { edge: [from, to.value] }); } },
      field('May be followed by', to), field('with prior', prior), el('button', { type: 'submit' }, 'Connect'));
  }

  showStart() {
    const edges = this.app.model.edges().filter((e) => e.from === '@start');
    this.element.replaceChildren(...this.head('@start', 'where every search begins').filter(Boolean), this.connectForm('@start'), this.edgeList('Is followed by', edges, (e) => e.to));
  }

  connect() { this.app.connect(this.what.step); }

  /* ---- a step ---- */

  async showStep(id) {
    const s = this.app.model.step(id), saved = this.app.model.base.steps.some((x) => x.id === id);
    let raw = saved ? await get('/api/step?' + new URLSearchParams({ id })) : { ...s };
    if (!this.what || this.what.step !== id || !s) return;
    if (raw.error) raw = { ...s };
    for (const op of this.app.model.pending) if (op.op === 'set-step' && op.id === id) for (const [k, v] of Object.entries(op.changes)) if (v === null) delete raw[k]; else raw[k] = v;
    const edges = this.app.model.edges();
    this.element.replaceChildren(...this.head(id, s.title).filter(Boolean),
      el('div', { class: 'row' }, el('button', { type: 'button', onclick: () => this.connect() }, 'Connect'), el('button', { type: 'button', onclick: () => this.rename(id) }, 'Rename'),
        el('button', { type: 'button', class: 'danger', id: 'delete', onclick: () => this.remove() }, 'Delete')),
      s.hint ? el('p', { class: 'hint' }, s.hint) : null,
      s.example ? el('div', { class: 'example' }, el('pre', { 'aria-label': 'before' }, s.example.before), el('pre', { 'aria-label': 'after' }, s.example.after)) : null,
      this.edgeList('Is followed by', edges.filter((e) => e.from === id), (e) => e.to), this.connectForm(id),
      this.edgeList('Follows', edges.filter((e) => e.to === id), (e) => e.from), this.stepForm(raw, false));
  }

  /* Fields of a step; only what was changed becomes an edit. */
  stepForm(raw, fresh) {
    const words = this.app.model.words, inputs = {}, note = el('p', { class: 'error', role: 'alert' });
    const parts = [];
    if (fresh) parts.push(field('Id', (inputs.id = el('input', { required: true, id: 'step-id', pattern: '[A-Za-z][A-Za-z0-9._\\-]*', maxlength: 64 })), 'a letter, then letters, digits, dots, _ or -'));
    for (const [key, label, kind] of TEXTS) {
      inputs[key] = el(kind === 'text' ? 'textarea' : 'input', { id: 'step-' + key, value: raw[key] || '', rows: kind === 'text' ? 4 : null, required: key === 'title' });
      parts.push(field(label, inputs[key]));
    }
    inputs.category = choice(words.categories.map((c) => [c, c]), raw.category || 'memory', { id: 'step-category' });
    inputs.once = choice([['no', 'again and again'], ['site', 'once a site'], ['candidate', 'once a chain']], raw.once || 'no', { id: 'step-once' });
    inputs.never = el('input', { type: 'checkbox', id: 'step-never', checked: !!raw.never });
    parts.push(field('Category', inputs.category), field('Can be done', inputs.once), field('Never: no search takes it', inputs.never));
    for (const key of ['when', 'limiter']) {
      inputs[key] = words[key].map((w) => el('input', { type: 'checkbox', value: w, checked: (raw[key] || []).includes(w) }));
      parts.push(el('details', { class: 'words' }, el('summary', {}, key === 'when' ? 'When: traits, all needed' : 'Limiter: what it relieves'),
        ...inputs[key].map((i) => el('label', {}, i, i.value))));
    }
    for (const [key, label, hint] of VALUES) {
      inputs[key] = el('textarea', { id: 'step-' + key, rows: 2, spellcheck: 'false', value: raw[key] ? JSON.stringify(raw[key]) : '' });
      parts.push(field(label + ' (JSON)', inputs[key], hint));
    }
    return el('form', { class: 'step-form', onsubmit: (e) => { e.preventDefault(); note.textContent = this.submitStep(raw, inputs, fresh) || ''; } },
      el('h3', {}, fresh ? 'New step' : 'Change'), ...parts, note, el('button', { type: 'submit', id: 'step-apply' }, fresh ? 'Add' : 'Apply'));
  }

  submitStep(raw, inputs, fresh) {
    const now = {};
    for (const [key] of TEXTS) now[key] = inputs[key].value.trim() || null;
    for (const [key, label] of VALUES) {
      try { now[key] = inputs[key].value.trim() ? JSON.parse(inputs[key].value) : null; } catch (e) { return `${label}: this is no JSON`; }
    }
    now.category = inputs.category.value;
    now.once = inputs.once.value === 'no' ? null : inputs.once.value;
    now.never = inputs.never.checked || null;
    for (const key of ['when', 'limiter']) {
      const words = inputs[key].filter((i) => i.checked).map((i) => i.value);
      now[key] = words.length ? words : null;
    }
    const before = (key) => (raw[key] === undefined || raw[key] === '' || (Array.isArray(raw[key]) && !raw[key].length) || raw[key] === false || raw[key] === 'no' ? null : raw[key]);
    if (fresh) {
      const step = Object.fromEntries(Object.entries({ id: inputs.id.value, ...now }).filter((x) => x[1] !== null));
      return this.app.edit({ op: 'add-step', step }, { step: step.id });
    }
    const changes = Object.fromEntries(Object.entries(now).filter(([k, v]) => !same(v, before(k))));
    if (!Object.keys(changes).length) return 'nothing was changed';
    return this.app.edit({ op: 'set-step', id: raw.id, changes });
  }

  newStep() {
    this.what = { fresh: true };
    this.element.replaceChildren(...this.head('Add a step').filter(Boolean), this.stepForm({}, true));
    this.element.querySelector('input').focus();
  }

  rename(id) {
    const now = el('input', { value: id, required: true, id: 'rename-to', maxlength: 64 });
    const form = el('form', { class: 'inline', onsubmit: (e) => { e.preventDefault(); const why = this.app.edit({ op: 'rename', id, now: now.value }, { step: now.value }); if (why) this.app.say(why); } },
      field('New id', now), el('button', { type: 'submit' }, 'Rename'));
    this.element.querySelector('.row + .row, .row').after(form);
    now.focus();
  }

  remove() {
    const w = this.what;
    if (!w || w.fresh || w.step === '@start') return;
    if (w.edge) this.app.edit({ op: 'remove-edge', from: w.edge[0], to: w.edge[1] }, null);
    else this.app.edit({ op: 'remove-step', id: w.step }, null);
  }

  /* ---- an edge ---- */

  showEdge(from, to) {
    const e = this.app.model.edge(from, to);
    if (!e) return this.showLog();
    const w = e.weight, prior = el('input', { type: 'number', min: 0, max: 1, step: 'any', id: 'edge-prior', value: String(e.prior), required: true }),
      confidence = el('input', { type: 'number', min: 0, max: 1000000, step: 'any', id: 'edge-confidence', value: String(e.confidence), required: true }),
      note = el('textarea', { rows: 3, id: 'edge-note', value: e.note || '' }), never = el('input', { type: 'checkbox', id: 'edge-never', checked: !!e.never });
    const apply = (ev) => {
      ev.preventDefault();
      const op = { op: 'set-edge', from, to };
      if (Number(prior.value) !== e.prior) op.prior = Number(prior.value);
      if (Number(confidence.value) !== e.confidence) op.confidence = Number(confidence.value);
      if (note.value !== (e.note || '')) op.note = note.value;
      if (never.checked !== !!e.never) op.never = never.checked;
      if (Object.keys(op).length > 3) this.app.edit(op); else this.app.say('nothing was changed');
    };
    const terms = [['prior', number(w.prior), 'the opinion alone'], ['learnt', number(w.learnt), `evidence: chance ${number(100 * w.chance, 0)} %, then ${times(w.gain)} +- ${number(w.sigma)} (ln)`],
      ['bonus', number(w.bonus), `little known: ${number(w.observations, 1)} observations, the opinion's among them`], ['way', number(w.way), `led ${number(w.led)} of ${number(w.runs)} runs to their best`]];
    const evidence = el('section', { 'aria-live': 'polite' }, el('h3', {}, 'Evidence'), el('p', {}, e.seen || e.led ? 'reading' : 'no run has tried it'));
    const link = (id) => el('button', { type: 'button', class: 'link', onclick: () => this.app.select({ step: id }) }, id);
    this.element.replaceChildren(el('div', { class: 'row' }, el('h2', {}, link(from), ' \u2192 ', link(to)), el('button', { type: 'button', class: 'close', 'aria-label': 'Close', onclick: () => this.app.select(null) }, '\u00d7')),
      e.note ? el('p', { class: 'hint' }, e.note, e.author ? el('small', {}, ` ${e.author}, ${e.date || ''}`) : null) : null,
      el('section', {}, el('h3', {}, `Score ${number(w.score)}`, e.unsaved ? ' (before your change)' : ''), el('table', {}, el('tbody', {}, ...terms.map(([name, value, what]) => el('tr', {}, el('th', { scope: 'row' }, name), el('td', { class: 'n' }, value), el('td', {}, what)))))),
      el('form', { onsubmit: apply }, field('Prior, 0 to 1: how promising', prior), field('Confidence: worth how many observations', confidence), field('Note: why', note), field('Never: no search takes it', never),
        el('div', { class: 'row' }, el('button', { type: 'submit', id: 'edge-apply' }, 'Apply'), el('button', { type: 'button', class: 'danger', id: 'delete', onclick: () => this.remove() }, 'Delete'))),
      evidence);
    if (e.seen || e.led) this.fillEvidence(from, to, evidence);
  }

  async fillEvidence(from, to, section) {
    const q = new URLSearchParams(this.app.view);
    q.set('from', from);
    q.set('to', to);
    const r = await get('/api/edge?' + q);
    if (r.error) return section.replaceChildren(el('h3', {}, 'Evidence'), el('p', {}, r.error.message));
    const failed = (x) => Object.entries(x.fail).map(([k, n]) => `${k} ${n}`).join(', ');
    const rows = r.evidence.slice(0, 200).map((x) => el('tr', {}, el('td', {}, x.date || '-'), el('td', {}, x.device), el('td', {}, x.class), el('td', {}, x.coder), el('td', { class: 'n' }, `${x.ok} of ${x.n}`),
      el('td', { class: 'n' }, times(x.mean_gain)), el('td', {}, [failed(x), x.led ? `led ${x.led}` : '', x.refused ? `refused ${x.refused}` : ''].filter(Boolean).join(', ')),
      el('td', {}, el('details', {}, el('summary', {}, x.runs.length === 1 ? 'run' : `${x.runs.length} runs`), el('code', {}, x.runs.join(' ')),
        el('p', {}, `program ${x.program || 'unknown'}, on ${x.machine || 'unknown'}, version ${x.version || 'unknown'}; one observation counts for ${number(x.counts)} here`)))));
    section.replaceChildren(el('h3', {}, `Evidence (${r.evidence.length})`), el('div', { class: 'wide' }, el('table', { id: 'evidence' },
      el('thead', {}, el('tr', {}, ...['date', 'device', 'class', 'coder', 'ok', 'mean', 'else', 'behind it'].map((h) => el('th', { scope: 'col' }, h)))), el('tbody', {}, ...rows))));
  }
}
