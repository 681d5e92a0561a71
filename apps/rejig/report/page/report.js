// SPDX-License-Identifier: Apache-2.0
// The report's page: views over one JSON object. Names from archives are data: they
// become text nodes, never markup.
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  // A run has one part for each suite, each with edges of its own numbers.
  for (const {shift, page} of data.suites || []) {
    const moved = (id) => 'E' + (Number(id.slice(1)) + shift);
    data.program = (data.program || []).concat(page.program || []);
    data.tested = data.tested || page.tested;
    data.order = (data.order || []).concat((page.order || []).map(moved));
    data.words = Object.assign(data.words || {}, Object.fromEntries(Object.entries(page.words || {}).map(([id, text]) => [moved(id), text])));
    for (const name of ['listings', 'sources', 'rows', 'recorded']) data[name] = Object.assign(data[name] || {}, page[name] || {});
  }
  const answer = data.answer || null;
  const edges = answer ? answer.edges : [];
  const $ = (id) => document.getElementById(id);

  // make('div.cls', {role: 'x'}, 'text', node, …)
  function make(tag, attributes, ...children) {
    const [name, ...classes] = tag.split('.');
    const node = document.createElement(name);
    if (classes.length) node.className = classes.join(' ');
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value !== undefined && value !== null && value !== false) node.setAttribute(key, value === true ? '' : value);
    }
    for (const child of children) {
      if (child !== null && child !== undefined && child !== false) node.append(child);
    }
    return node;
  }
  const count = (n, one, many) => n.toLocaleString('en') + ' ' + (n === 1 ? one : many || one + 's');
  const seconds = (ms) => ms < 1000 ? Math.round(ms) + ' ms' : ms < 120000 ? (ms / 1000).toFixed(1) + ' s' : Math.round(ms / 60000) + ' min';
  const said = (edge) => (edge.says || edge.why).replace(/`/g, '');

  // ---- what the data say together ------------------------------------------

  const tests = [];
  const testOf = new Map();
  const testsOfEdge = edges.map(() => []);
  function addTest(suite, id, status, forced, hits) {
    const row = ((data.rows || {})[suite] || {})[id];
    const test = {suite, id, status, forced: forced || [], hits: hits || [], ms: row ? row[0] : null, last: row ? row[1] : null,
                  grade: row ? row[2] : null, ran: null, at: tests.length};
    testOf.set(suite + '\n' + id, test);
    tests.push(test);
    return test;
  }
  if (answer) {
    const broad = answer.broad.map((hit) => hit[0]);
    for (const [suite, id, forced, hits] of answer.selected) {
      const test = addTest(suite, id, 'selected', forced, hits.concat(answer.broad));
      for (const edge of new Set(hits.map((hit) => hit[0]).concat(broad))) testsOfEdge[edge].push(test);
    }
    for (const [suite, ids] of Object.entries(answer.unaffected)) for (const id of ids) addTest(suite, id, 'skipped');
    for (const [suite, ids] of Object.entries(answer.gone)) for (const id of ids) addTest(suite, id, 'gone');
  }
  let lastEnd = 0;
  for (const [suite, id, result, begun, ms, pid] of data.ran || []) {
    const test = testOf.get(suite + '\n' + id) || addTest(suite, id, 'selected');
    test.ran = {result, begun, ms, pid};
    test.ms = ms;
    lastEnd = Math.max(lastEnd, begun + ms);
  }

  // Edges of one entity are one cause; what it does to many receivers is folded.
  const causes = [];
  const causeOfEdge = [];
  {
    const known = new Map();
    edges.forEach((edge, i) => {
      let cause = known.get(edge.entity);
      if (!cause) {
        cause = {at: causes.length, name: edge.name, entity: edge.entity, edges: [], tests: new Set()};
        known.set(edge.entity, cause);
        causes.push(cause);
      }
      cause.edges.push(i);
      causeOfEdge[i] = cause;
      for (const test of testsOfEdge[i]) cause.tests.add(test);
    });
  }
  const order = (data.order || []).map((id) => causeOfEdge[Number(id.slice(1)) - 1]).filter(Boolean);
  const ranked = [...new Set(order.concat(causes))];
  if (answer && answer.selected.length) ranked.sort((a, b) => b.tests.size - a.tests.size);

  // ---- state, kept in the address ------------------------------------------

  const state = {view: '', q: '', edge: '', test: '', show: 'all'};
  function readHash() {
    const parts = new URLSearchParams(location.hash.slice(1));
    for (const key of Object.keys(state)) state[key] = parts.get(key) || (key === 'show' ? 'all' : '');
  }
  function writeHash() {
    const parts = new URLSearchParams();
    for (const [key, value] of Object.entries(state)) if (value && !(key === 'show' && value === 'all')) parts.set(key, value);
    const hash = '#' + parts.toString();
    if (location.hash !== hash) history.replaceState(null, '', hash);
  }

  // ---- a list of any length -------------------------------------------------

  const kRow = 44;
  function virtualList(label, onPick) {
    const inner = make('div', {role: 'presentation'});
    inner.style.position = 'relative';
    const node = make('div.list', {role: 'listbox', tabindex: 0, 'aria-label': label}, inner);
    const list = {node, items: [], picked: -1, draw: null};
    const prefix = label.replace(/\W+/g, '-');
    function paint() {
      inner.style.height = list.items.length * kRow + 'px';
      const first = Math.max(0, Math.floor(node.scrollTop / kRow) - 5);
      const last = Math.min(list.items.length, first + Math.ceil((node.clientHeight || 600) / kRow) + 10);
      const rows = [];
      for (let i = first; i < last; i++) {
        const row = make('div.row', {role: 'option', id: prefix + '-' + i, 'aria-selected': i === list.picked ? 'true' : 'false',
                                     'aria-setsize': list.items.length, 'aria-posinset': i + 1}, ...list.draw(list.items[i]));
        row.style.top = i * kRow + 'px';
        row.dataset.at = i;
        rows.push(row);
      }
      inner.replaceChildren(...rows);
      if (list.picked >= 0) node.setAttribute('aria-activedescendant', prefix + '-' + list.picked);
      else node.removeAttribute('aria-activedescendant');
    }
    list.pick = (at, quiet) => {
      if (at < 0 || at >= list.items.length) return;
      list.picked = at;
      const top = at * kRow;
      if (top < node.scrollTop) node.scrollTop = top;
      if (top + kRow > node.scrollTop + node.clientHeight) node.scrollTop = top + kRow - node.clientHeight;
      paint();
      if (!quiet) onPick(list.items[at]);
    };
    list.set = (items) => {
      list.items = items;
      list.picked = -1;
      node.scrollTop = 0;
      paint();
    };
    list.paint = paint;
    node.addEventListener('scroll', paint, {passive: true});
    node.addEventListener('click', (event) => {
      const row = event.target.closest('.row');
      if (row) list.pick(Number(row.dataset.at));
    });
    node.addEventListener('keydown', (event) => {
      const page = Math.max(1, Math.floor(node.clientHeight / kRow) - 1);
      const moves = {ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: page, PageUp: -page, Home: -1e9, End: 1e9};
      if (!(event.key in moves)) return;
      event.preventDefault();
      event.stopPropagation();
      list.pick(Math.min(list.items.length - 1, Math.max(0, (list.picked < 0 ? -1 : list.picked) + moves[event.key])));
    });
    new ResizeObserver(paint).observe(node);
    return list;
  }

  // ---- details --------------------------------------------------------------

  function words(list) {
    return make('ul', {}, ...list.map((text) => make('li' + (text.startsWith('+ ') ? '.gain' : text.startsWith('− ') ? '.loss' : ''), {}, text)));
  }
  function link(text, change) {
    const parts = new URLSearchParams(Object.entries(change));
    return make('a', {href: '#' + parts}, text);
  }
  function listing(entity, file) {
    const rows = (data.listings || {})[entity];
    if (!rows) return null;
    const source = (data.sources || {})[file] || {};
    const box = make('div.sides.mono', {role: 'group', tabindex: 0, 'aria-label': 'both listings, OLD to the left'});
    let told = 0;
    for (const [mark, oldLine, oldText, newLine, newText] of rows) {
      if (newLine && newLine !== told && source[newLine] !== undefined) {
        box.append(make('div.source', {}, newLine + ': ' + source[newLine]));
        told = newLine;
      }
      const cell = (cls, sign, line, text) => make('div.' + cls, {title: text || null}, text === null ? '' : sign + (line ? String(line).padStart(5) : '     ') + ' ' + text);
      const same = mark === ' ';
      box.append(cell(same || oldText === null ? 'from' : 'lost', same ? ' ' : '−', oldLine, oldText),
                 cell(same || newText === null ? 'from' : 'gained', same ? ' ' : '+', newLine, newText));
    }
    return box;
  }
  const place = (edge) => edge.file && edge.file !== edge.entity ? edge.file + (edge.line ? ':' + edge.line : '') : '';
  function edgeItem(i) {
    const edge = edges[i];
    const facts = edge.old || edge.new ? make('div.mono.dim', {}, (edge.old || 'nothing') + ' → ' + (edge.new || 'nothing')) : null;
    return make('li', {}, link(edge.id, {view: 'causes', edge: edge.id}), ' ', make('b', {title: 'rejig explain ' + edge.rule}, edge.rule), ' ',
                said(edge), edge.label ? make('span.dim', {}, ' (' + edge.label + ')') : null, facts);
  }
  function showCause(cause, edgeId) {
    const first = edges[cause.edges[0]];
    const parts = [make('h3.mono', {}, cause.name)];
    if (place(first)) parts.push(make('p.dim', {}, place(first)));
    const changes = cause.edges.map((i) => (data.words || {})[edges[i].id]).find(Boolean);
    if (changes) parts.push(words(changes));
    const shown = listing(cause.entity, first.file);
    if (shown) parts.push(shown);
    const kMost = 8;
    const chosen = cause.edges.filter((i) => edges[i].id === edgeId);
    const others = cause.edges.filter((i) => edges[i].id !== edgeId);
    parts.push(make('ul', {}, ...chosen.concat(others.slice(0, kMost)).map(edgeItem)));
    if (others.length > kMost) {
      const more = make('details', {}, make('summary', {}, count(others.length - kMost, 'more edge') + ' of the same'));
      more.addEventListener('toggle', () => {
        if (more.open && more.children.length === 1) more.append(make('ul', {}, ...others.slice(kMost, kMost + 2000).map(edgeItem)));
      });
      parts.push(more);
    }
    const items = cause.edges.flatMap((i) => edges[i].items || []).slice(0, 3);
    if (items.length) parts.push(make('p.dim', {}, 'selects who has ' + items.map((item) => item.join(' and ')).join(', or ')));
    if (answer && (answer.selected.length || data.ran)) {
      const all = [...cause.tests];
      parts.push(make('h3', {}, all.length ? 'selects ' + count(all.length, 'test') : 'no test meets it'));
      parts.push(make('ul', {}, ...all.slice(0, 100).map((test) => make('li', {}, link(test.id, {view: 'tests', test: test.id})))));
      if (all.length > 100) parts.push(make('p.dim', {}, count(all.length - 100, 'more test')));
    }
    $('cause').replaceChildren(...parts);
    const different = shown && shown.querySelector('.lost, .gained');
    if (different) shown.scrollTop = different.offsetTop - shown.offsetTop - 90;
  }
  const icons = {pass: '✔ passed', fail: '✖ failed', error: '✖ failed', aborted: '◼ aborted', skip: '○ disabled'};
  function statusText(test) {
    if (test.ran) return icons[test.ran.result] || test.ran.result;
    return test.status === 'skipped' ? '◌ not selected' : test.status === 'gone' ? '∅ gone' : '▶ selected';
  }
  function tone(test) {
    if (test.ran) return test.ran.result === 'pass' ? 't-good' : 't-bad';
    return test.status === 'skipped' ? 't-skip' : test.status === 'gone' ? 't-skip' : 't-run';
  }
  function showTest(test) {
    const parts = [make('h3.mono', {}, test.id), make('p', {}, make('span.chip.' + tone(test), {}, statusText(test)), test.suite === 'default' ? '' : ' suite ' + test.suite,
                   test.ms === null ? '' : ' · ' + seconds(test.ms), test.last ? ' · the time before: ' + test.last : '', test.ran ? ' · JVM ' + test.ran.pid : '')];
    if (test.status === 'selected') {
      parts.push(make('h3', {}, 'Why it is selected'));
      const list = test.forced.map(([rule, why]) => make('li', {}, make('b', {}, rule), ' ', why));
      const seen = new Set();
      for (const [edge, item, unknown] of test.hits) {
        if (seen.has(edge) || seen.size >= 50) continue;
        seen.add(edge);
        const node = edgeItem(edge);
        node.prepend(make('span', {}, edges[edge].name + ': '));
        const atoms = (edges[edge].items || [])[item];
        if (atoms) node.append(make('div.mono.dim', {}, 'its row has ' + atoms.join(' and ') + (unknown ? ' (not recorded, so it counts)' : '')));
        list.push(node);
      }
      if (!list.length) list.push(make('li', {}, 'everything was selected'));
      parts.push(make('ul', {}, ...list));
      if (new Set(test.hits.map((hit) => hit[0])).size > seen.size) parts.push(make('p.dim', {}, 'and more edges'));
    } else if (test.status === 'skipped') {
      parts.push(make('h3', {}, 'What the proof rests on'));
      const recorded = (data.recorded || {})[test.suite];
      const list = [make('li', {}, 'Its row' + (test.grade ? ' (' + test.grade + ', ' + test.last + ')' : '') + ' lacks an atom of each of the ' +
                                   count(edges.length, 'dangerous edge') + '.')];
      if (recorded) list.push(make('li', {}, 'The row is of the run of ' + recorded + ', or of a later one.'));
      for (const text of answer.assumptions) list.push(make('li', {}, text));
      parts.push(make('ul', {}, ...list), make('p.mono.dim', {}, "rejig explain --not '" + test.id + "'"));
    } else {
      parts.push(make('p', {}, 'The new program does not have it any more.'));
    }
    $('test').replaceChildren(...parts);
  }

  // ---- the treemap ----------------------------------------------------------

  const cells = [];
  if (data.program) {
    const byClass = new Map();
    for (const [name, methods] of data.program) {
      const into = byClass.get(name) || new Map();
      byClass.set(name, into);
      for (const [method, bytes, changed, n] of methods) {
        const known = into.get(method);
        if (known) { known.tests += n; known.changed |= changed; } else into.set(method, {cls: name, name: method, bytes, changed, tests: n});
      }
    }
    for (const methods of byClass.values()) cells.push(...methods.values());
  }
  const isGap = (cell) => data.tested && cell.changed && !cell.tests;
  const gaps = cells.filter(isGap).sort((a, b) => b.bytes - a.bytes);

  // Squarified: rows whose rectangles are as square as they can be.
  function squarify(items, x, y, w, h, out) {
    let total = items.reduce((sum, item) => sum + item.size, 0);
    let at = 0;
    while (at < items.length && w > 0.5 && h > 0.5 && total > 0) {
      const short = Math.min(w, h), scale = w * h / total;
      let sum = 0, best = Infinity, end = at;
      for (let i = at; i < items.length; i++) {
        const next = sum + items[i].size, thick = next * scale / short;
        const worst = Math.max(...[items[at].size, items[i].size].map((size) => { const side = size * scale / thick; return Math.max(side / thick, thick / side); }));
        if (worst > best && end > at) break;
        best = worst; sum = next; end = i + 1;
      }
      const thick = sum * scale / short;
      let along = 0;
      for (let i = at; i < end; i++) {
        const side = items[i].size * scale / thick;
        out(items[i], w >= h ? [x, y + along, thick, side] : [x + along, y, side, thick]);
        along += side;
      }
      if (w >= h) { x += thick; w -= thick; } else { y += thick; h -= thick; }
      total -= sum; at = end;
    }
  }
  let placed = [];
  function paintMap() {
    const canvas = $('map-canvas');
    if (!canvas || !canvas.clientWidth) return;
    const ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = Math.max(320, Math.min(640, innerHeight * .6));
    canvas.style.height = height + 'px';
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const style = getComputedStyle(document.documentElement), color = (name) => style.getPropertyValue('--' + name).trim();
    const paint = canvas.getContext('2d');
    paint.scale(ratio, ratio);
    paint.fillStyle = color('bg');
    paint.fillRect(0, 0, width, height);
    const groups = new Map();
    for (const cell of cells) {
      const pack = cell.cls.slice(0, Math.max(0, cell.cls.lastIndexOf('.'))) || '(no package)';
      const group = groups.get(pack) || {name: pack, size: 0, classes: new Map()};
      groups.set(pack, group);
      const cls = group.classes.get(cell.cls) || {name: cell.cls, size: 0, cells: []};
      group.classes.set(cell.cls, cls);
      const size = Math.max(cell.bytes, 1);
      cls.cells.push({cell, size});
      cls.size += size; group.size += size;
    }
    const bySize = (list) => list.sort((a, b) => b.size - a.size);
    const most = cells.reduce((n, cell) => Math.max(n, cell.tests), 1);
    placed = [];
    const hatch = document.createElement('canvas');
    hatch.width = hatch.height = 8;
    const lines = hatch.getContext('2d');
    lines.fillStyle = color('gap');
    lines.fillRect(0, 0, 8, 8);
    lines.strokeStyle = color('bg');
    lines.lineWidth = 2;
    lines.beginPath(); lines.moveTo(-1, 9); lines.lineTo(9, -1); lines.moveTo(-1, 1); lines.lineTo(1, -1); lines.moveTo(7, 9); lines.lineTo(9, 7); lines.stroke();
    const gapFill = paint.createPattern(hatch, 'repeat');
    paint.font = '11px system-ui, sans-serif';
    squarify(bySize([...groups.values()]), 0, 0, width, height, (group, [gx, gy, gw, gh]) => {
      const head = gh > 34 && gw > 70 ? 15 : 0;
      squarify(bySize([...group.classes.values()]), gx + 1, gy + 1 + head, gw - 2, gh - 2 - head, (cls, [cx, cy, cw, ch]) => {
        squarify(bySize(cls.cells), cx, cy, cw, ch, ({cell}, [x, y, w, h]) => {
          placed.push([x, y, w, h, cell]);
          if (isGap(cell)) {
            paint.fillStyle = gapFill;
            paint.fillRect(x, y, w, h);
          } else {
            paint.fillStyle = color('cold');
            paint.fillRect(x, y, w, h);
            if (cell.tests) {
              paint.globalAlpha = .25 + .75 * Math.log1p(cell.tests) / Math.log1p(most);
              paint.fillStyle = color('warm');
              paint.fillRect(x, y, w, h);
              paint.globalAlpha = 1;
            } else if (cell.changed) {
              paint.globalAlpha = .35;
              paint.fillStyle = color('changed');
              paint.fillRect(x, y, w, h);
              paint.globalAlpha = 1;
            }
          }
          if (w > 3 && h > 3) {
            paint.strokeStyle = cell.changed ? color(isGap(cell) ? 'gap' : 'changed') : color('bg');
            paint.lineWidth = cell.changed ? 2 : .5;
            paint.strokeRect(x + .5, y + .5, w - 1, h - 1);
          }
          const label = cell.name.replace('new ', '');
          if (h > 46 && w > paint.measureText(label).width + 8) {
            paint.fillStyle = color('fg');
            paint.fillText(label, x + 4, y + h - 6);
          }
          // A mark too: changed is told by more than its colour.
          if (cell.changed && w > 12 && h > 14) {
            if (isGap(cell)) {
              paint.fillStyle = color('bg');
              paint.fillRect(x + 1, y + 1, 12, 14);
            }
            paint.fillStyle = color('fg');
            paint.fillText(isGap(cell) ? '!' : 'Δ', x + (isGap(cell) ? 5 : 3), y + 12);
          }
        });
        paint.strokeStyle = color('bg');
        paint.lineWidth = 1.5;
        paint.strokeRect(cx, cy, cw, ch);
        const name = cls.name.slice(cls.name.lastIndexOf('.') + 1);
        if (cw > paint.measureText(name).width + 24 && ch > 30) {
          paint.fillStyle = color('fg');
          paint.fillText(name, cx + 16, cy + 12);
        }
      });
      if (head) {
        paint.fillStyle = color('soft');
        paint.fillRect(gx + 1, gy + 1, gw - 2, head);
        paint.fillStyle = color('dim');
        let text = group.name;
        while (text.length > 3 && paint.measureText(text).width > gw - 10) text = text.slice(0, -2);
        paint.fillText(text === group.name ? text : text + '…', gx + 5, gy + 12);
      }
    });
  }
  const cellText = (cell) => cell.cls + '.' + cell.name + ' — ' + count(cell.bytes, 'byte') + ', ' + (cell.changed ? 'changed, ' : '') +
    (!data.tested ? '' : cell.tests ? 'executed by ' + count(cell.tests, 'test') : 'executed by no test');

  // ---- views ----------------------------------------------------------------

  const views = [];
  function view(id, title, build, refresh) { views.push({id, title, build, refresh, node: null}); }
  const matches = (text) => { const q = state.q.toLowerCase(); return !q || text.toLowerCase().includes(q); };
  let causeList, testList;

  // What other views show better stands in the plain page only.
  const elsewhere = answer && answer.selected.length ? ['What selects most', 'Selected tests'] : [];
  const lists = (data.lists || []).filter((one) => !elsewhere.includes(one.title));
  view('summary', 'Summary', () => {
    const parts = [];
    if (answer && answer.selected.length) {
      const top = ranked.filter((cause) => cause.tests.size).slice(0, 10);
      if (top.length) {
        parts.push(make('h2', {id: 'top'}, 'What selects most'));
        parts.push(make('table', {}, make('thead', {}, make('tr', {}, make('th.n', {scope: 'col'}, 'Tests'), make('th', {scope: 'col'}, 'Cause'), make('th', {scope: 'col'}, 'Would select less'))),
          make('tbody', {}, ...top.map((cause) => make('tr', {}, make('td.n', {}, cause.tests.size.toLocaleString('en')),
            make('td', {}, link(cause.name, {view: 'causes', edge: edges[cause.edges[0]].id}), make('div.dim', {}, said(edges[cause.edges[0]]))),
            make('td', {}, advice(cause)))))));
      }
    }
    if (gaps.length) {
      parts.push(make('h2', {}, 'Changed, and executed by no test'));
      parts.push(make('ul', {}, ...gaps.slice(0, 10).map((cell) => make('li.mono', {}, cell.cls + '.' + cell.name))));
      if (gaps.length > 10) parts.push(make('p.dim', {}, count(gaps.length - 10, 'more method')));
    }
    const shown = lists.map((one) => {
      const items = one.items.filter((item) => matches(item[0] + ' ' + item[3].join(' ')));
      const box = make('details', {open: Boolean(one.open || state.q || one.items.length <= 10)}, make('summary', {}, one.title + ' (' + (items.length + one.left) + ')'));
      for (const [title, at, id, facts] of items.slice(0, 400)) {
        box.append(make('article', {}, make('span.place', {}, at, ' ', id && edges.length ? link(id, {view: 'causes', edge: id}) : id), make('code', {}, title), facts.length ? words(facts) : null));
      }
      if (items.length > 400 || one.left) box.append(make('p.dim', {}, '… ' + count(Math.max(0, items.length - 400) + one.left, 'more', 'more')));
      return box;
    });
    parts.push(...shown);
    const rests = answer ? answer.assumptions : [];
    if (rests.length) parts.push(make('details', {}, make('summary', {}, 'What the verdict rests on (' + rests.length + ')'), make('ul', {}, ...rests.map((text) => make('li', {}, text)))));
    const wide = answer ? answer.widened : [];
    if (wide.length) parts.push(make('details', {open: true}, make('summary', {}, 'Widened: what could not be read or understood (' + wide.length + ')'),
      make('ul', {}, ...wide.map(([what, where]) => make('li', {}, (where ? where + ': ' : '') + what)))));
    return parts;
  }, true);
  function advice(cause) {
    const rules = new Set(cause.edges.map((i) => edges[i].rule));
    if (cause.entity.includes('.<clinit>(')) return 'an initializer runs for whoever uses the class: make lazy what only some need';
    if (rules.has('D16')) return 'reflection looks at the class: let fewer tests do that';
    if (rules.has('D20') || rules.has('D19')) return 'a file that many read: split it, or say [[resources]] in rejig.toml';
    if (rules.has('D1')) return 'many tests run this code: tests that need less of the program select less';
    return 'rejig explain ' + edges[cause.edges[0]].rule;
  }
  if (cells.length) view('map', 'Map', () => {
    const canvas = make('canvas', {id: 'map-canvas', role: 'img', tabindex: 0, 'aria-label': 'methods by size of their code: ' + count(cells.length, 'method') + ', ' +
      count(cells.filter((cell) => cell.changed).length, 'changed', 'changed') + ', ' + gaps.length + ' of them executed by no test; the table below lists these'});
    const told = make('p.mono', {'aria-live': 'polite'}, '\u00a0');
    const under = (event) => {
      const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
      const found = placed.find(([cx, cy, w, h]) => x >= cx && x < cx + w && y >= cy && y < cy + h);
      return found ? found[4] : null;
    };
    canvas.addEventListener('mousemove', (event) => { const cell = under(event); told.textContent = cell ? cellText(cell) : '\u00a0'; });
    canvas.addEventListener('click', (event) => {
      const cell = under(event);
      if (cell) go({view: cell.changed && edges.length ? 'causes' : 'tests', q: cell.changed ? cell.name.split('(')[0] : cell.cls.slice(cell.cls.lastIndexOf('.') + 1), edge: '', test: ''});
    });
    return [make('div.legend', {}, make('span', {}, data.tested ? 'executed by no test' : 'unchanged'), data.tested ? make('span.k-warm', {}, 'executed by many tests') : null, make('span.k-changed', {}, 'Δ changed'),
                 data.tested ? make('span.k-gap', {}, '! changed and executed by no test') : null), canvas, told, !gaps.length ? null :
            make('table', {}, make('caption.visually-hidden', {}, 'changed methods that no test executes'),
              make('thead', {}, make('tr', {}, make('th', {scope: 'col'}, 'Changed, and executed by no test'), make('th.n', {scope: 'col'}, 'Bytes'))),
              make('tbody', {}, ...gaps.slice(0, 50).map((cell) => make('tr', {}, make('td.mono', {}, cell.cls + '.' + cell.name), make('td.n', {}, cell.bytes)))))];
  });
  if (edges.length) view('causes', 'Causes', () => {
    causeList = virtualList('causes', (cause) => { state.edge = edges[cause.edges[0]].id; writeHash(); showCause(cause); });
    causeList.draw = (cause) => {
      const first = edges[cause.edges[0]];
      return [make('div', {}, make('span.right', {}, (cause.tests.size ? count(cause.tests.size, 'test') + ' · ' : '') + count(cause.edges.length, 'edge')), make('span.mono', {}, cause.name)),
              make('div.dim', {}, first.id + ' ' + first.rule + ' ' + said(first))];
    };
    return [make('div.split', {}, causeList.node, make('div.detail', {id: 'cause', tabindex: 0, role: 'region', 'aria-label': 'the cause', 'aria-live': 'polite'}, 'Choose one.'))];
  }, () => {
    causeList.set(ranked.filter((cause) => !state.q || cause.edges.some((i) => matches(edges[i].id + ' ' + edges[i].rule + ' ' + edges[i].name + ' ' + edges[i].entity + ' ' + edges[i].why))));
    const i = edges.findIndex((edge) => edge.id === state.edge);
    if (i >= 0) {
      causeList.pick(causeList.items.indexOf(causeOfEdge[i]), true);
      showCause(causeOfEdge[i], state.edge);
    }
  });
  if (tests.length) view('tests', 'Tests', () => {
    testList = virtualList('tests', (test) => { state.test = test.id; writeHash(); showTest(test); });
    testList.draw = (test) => [make('div', {}, make('span.right', {}, test.ms === null ? '' : seconds(test.ms)), make('span.mono', {}, test.id)),
      make('div', {}, make('span.' + tone(test), {}, statusText(test)), make('span.dim', {}, ' ' + (test.status === 'selected'
        ? (test.forced.length ? test.forced[0][0] + ' ' + test.forced[0][1] : test.hits.length ? edges[test.hits[0][0]].id + ' ' + edges[test.hits[0][0]].name : '')
        : test.status === 'skipped' ? 'its row meets no edge' : '')))];
    const choose = make('select', {'aria-label': 'which tests'}, ...[['all', 'all tests'], ['selected', 'selected'], ['skipped', 'not selected'], ['failed', 'failed'], ['gone', 'gone']].map(
      ([value, text]) => make('option', {value}, text)));
    choose.id = 'which';
    choose.addEventListener('change', () => go({show: choose.value, test: ''}));
    return [make('p', {}, choose), make('div.split', {}, testList.node, make('div.detail', {id: 'test', tabindex: 0, role: 'region', 'aria-label': 'the test', 'aria-live': 'polite'}, 'Choose one.'))];
  }, () => {
    $('which').value = state.show;
    const wanted = (test) => state.show === 'all' || test.status === state.show || (state.show === 'failed' && test.ran && test.ran.result !== 'pass');
    testList.set(tests.filter((test) => wanted(test) && matches(test.id + ' ' + test.suite)));
    const at = testList.items.findIndex((test) => test.id === state.test);
    if (at >= 0) { testList.pick(at, true); showTest(testList.items[at]); }
  });
  const ran = tests.filter((test) => test.ran);
  if (ran.length) view('time', 'Timeline', () => {
    const jvms = new Map();
    for (const test of ran) { const list = jvms.get(test.ran.pid) || []; jvms.set(test.ran.pid, list); list.push(test); }
    const canvas = make('canvas', {id: 'time-canvas', role: 'img', 'aria-label': count(ran.length, 'test') + ' in ' + count(jvms.size, 'JVM') + ', ' + seconds(lastEnd) + '; the table below lists the slowest'});
    const told = make('p.mono', {'aria-live': 'polite'}, '\u00a0');
    canvas.addEventListener('mousemove', (event) => {
      const box = canvas.getBoundingClientRect(), lane = Math.floor((event.clientY - box.top) / 26), ms = (event.clientX - box.left) / box.width * lastEnd;
      const test = (([...jvms.values()][lane]) || []).find((one) => ms >= one.ran.begun && ms <= one.ran.begun + Math.max(one.ran.ms, lastEnd / box.width));
      told.textContent = test ? test.id + ', ' + seconds(test.ran.ms) : '\u00a0';
    });
    canvas.paint = () => {
      const ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = Math.max(1, jvms.size) * 26;
      canvas.style.height = height + 'px';
      canvas.width = width * ratio; canvas.height = height * ratio;
      const style = getComputedStyle(document.documentElement), color = (name) => style.getPropertyValue('--' + name).trim(), paint = canvas.getContext('2d');
      paint.scale(ratio, ratio);
      [...jvms.values()].forEach((list, lane) => {
        for (const test of list) {
          const bad = test.ran.result !== 'pass', x = test.ran.begun / (lastEnd || 1) * width, w = Math.max(1.5, test.ran.ms / (lastEnd || 1) * width - 1);
          paint.fillStyle = color(bad ? 'gap' : 'warm');
          paint.fillRect(x, lane * 26 + 3, w, bad ? 20 : 14);
        }
      });
    };
    const slow = [...ran].sort((a, b) => b.ran.ms - a.ran.ms).slice(0, 20);
    const trace = make('button', {type: 'button'}, 'trace events (for Perfetto)');
    trace.addEventListener('click', () => save('rejig-trace.json', JSON.stringify({traceEvents: ran.map((test) => ({ph: 'X', name: test.id, cat: test.suite, pid: test.ran.pid, tid: 1, ts: test.ran.begun * 1000, dur: test.ran.ms * 1000, args: {result: test.ran.result}}))})));
    return [make('p.dim', {}, 'One line for each JVM; what failed is taller.'), canvas, told, trace,
      make('table', {}, make('thead', {}, make('tr', {}, make('th', {scope: 'col'}, 'Slowest'), make('th.n', {scope: 'col'}, 'Time'))),
        make('tbody', {}, ...slow.map((test) => make('tr', {}, make('td', {}, link(test.id, {view: 'tests', test: test.id})), make('td.n', {}, seconds(test.ran.ms))))))];
  });

  function save(name, text) {
    const url = URL.createObjectURL(new Blob([text], {type: 'application/json'}));
    make('a', {href: url, download: name}).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  // ---- frame ----------------------------------------------------------------

  function chips() {
    if (!answer) return null;
    const c = answer.counts, n = (key) => c[key] || 0;
    const failed = ran.filter((test) => test.ran.result !== 'pass').length, passed = ran.length - failed;
    const saved = tests.filter((test) => test.status === 'skipped' && !test.ran).reduce((sum, test) => sum + (test.ms || 0), 0);
    const one = (tone, icon, value, text) => value ? make('li.chip.' + tone, {}, icon + ' ', make('b', {}, value.toLocaleString('en')), ' ' + text) : null;
    return make('ul.chips', {'aria-label': 'in numbers'}, one('t-run', '▶', n('selected'), 'selected'), one('t-skip', '◌', n('unaffected'), 'not selected, on proof' + (saved > 999 ? ' (' + seconds(saved) + ')' : '')),
      one('t-good', '✔', passed, 'ran and passed'), one('t-bad', '✖', failed, 'ran and did not pass'), one('t-warn', '✱', n('new'), 'new'), one('t-skip', '∅', n('gone'), 'gone'),
      one('t-warn', 'Δ', edges.length, edges.length === 1 ? 'dangerous edge' : 'dangerous edges'), one('t-bad', '!', gaps.length, gaps.length === 1 ? 'changed method without a test' : 'changed methods without a test'), one('t-warn', '⤢', answer.widened.length, 'widened'));
  }
  const main = $('main');
  const tabs = make('div', {role: 'tablist', 'aria-label': 'views'});
  tabs.style.display = 'contents';
  const search = make('input', {type: 'search', id: 'search', placeholder: 'search (/)', 'aria-label': 'search'});
  const theme = make('button', {type: 'button', 'aria-label': 'light or dark', title: 'light or dark (d)'}, '◐');
  const help = make('button', {type: 'button', 'aria-label': 'keys', title: 'keys (?)'}, '?');
  const download = make('button', {type: 'button', title: 'the data of this page'}, 'JSON');
  const keys = make('dialog', {'aria-label': 'keys'}, make('h2', {}, 'Keys'), make('p', {}, make('kbd', {}, '/'), ' search, ', make('kbd', {}, '1'), ' … views, ', make('kbd', {}, 'j'), ' ', make('kbd', {}, 'k'),
    ' next and last of a list, ', make('kbd', {}, 'd'), ' light or dark, ', make('kbd', {}, 'Esc'), ' leaves the search'), make('p', {}, 'The address names what is shown: copy it to show it to somebody.'), make('form', {method: 'dialog'}, make('button', {}, 'close')));
  const answerBox = make('section.answer', {'aria-label': 'the answer'}, make('h1', {}, data.title), ...data.verdict.map((line) => make('p', {}, line)), chips());
  const panels = make('div');
  main.replaceChildren(answerBox, make('div.bar', {}, tabs, search, download, theme, help), panels, keys,
    make('footer', {}, ...(data.footer || []).map((line) => make('p', {}, line)), make('p', {}, 'rejig ' + data.rejig + (data.when ? ', ' + data.when : ''))));
  views.forEach((one, i) => {
    one.tab = make('button', {role: 'tab', type: 'button', id: 'tab-' + one.id, 'aria-controls': 'view-' + one.id, title: String(i + 1)}, one.title);
    one.tab.addEventListener('click', () => go({view: one.id}));
    tabs.append(one.tab);
  });
  tabs.addEventListener('keydown', (event) => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!step) return;
    const at = views.findIndex((one) => one.id === state.view), next = views[(at + step + views.length) % views.length];
    go({view: next.id});
    next.tab.focus();
  });
  function show() {
    const current = views.find((one) => one.id === state.view) || views[0];
    state.view = current.id;
    for (const one of views) {
      const on = one === current;
      one.tab.setAttribute('aria-selected', on ? 'true' : 'false');
      one.tab.tabIndex = on ? 0 : -1;
      if (one.node) one.node.hidden = !on;
    }
    if (!current.node || current.refresh === true) {
      const node = make('section', {role: 'tabpanel', id: 'view-' + current.id, 'aria-labelledby': 'tab-' + current.id}, ...current.build());
      if (current.node) current.node.replaceWith(node); else panels.append(node);
      current.node = node;
    }
    if (typeof current.refresh === 'function') current.refresh();
    if (current.id === 'map') paintMap();
    if (current.id === 'time') $('time-canvas').paint();
    if (document.activeElement !== search) search.value = state.q;
  }
  function go(change) { Object.assign(state, change); writeHash(); show(); }
  let typing = 0;
  search.addEventListener('input', () => { clearTimeout(typing); typing = setTimeout(() => {
    const searchable = ['summary', 'causes', 'tests'];
    go({q: search.value, view: searchable.includes(state.view) ? state.view : 'causes'});
  }, 80); });
  download.addEventListener('click', () => save('rejig.json', $('data').textContent));
  function repaint() { if (state.view === 'map') paintMap(); if (state.view === 'time') $('time-canvas').paint(); }
  function setTheme(name) {
    if (name) document.documentElement.dataset.theme = name;
    repaint();
  }
  theme.addEventListener('click', () => {
    const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    setTheme(dark ? 'light' : 'dark');
    try { localStorage.setItem('rejig-theme', dark ? 'light' : 'dark'); } catch { /* a page of a file may have no storage */ }
  });
  help.addEventListener('click', () => keys.showModal());
  addEventListener('resize', repaint);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
  addEventListener('hashchange', () => { readHash(); show(); });
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || keys.open) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
      if (event.key === 'Escape') event.target.blur();
      return;
    }
    const list = state.view === 'causes' ? causeList : state.view === 'tests' ? testList : null;
    if (event.key === '/') { event.preventDefault(); search.focus(); }
    else if (event.key === 'd') theme.click();
    else if (event.key === '?') keys.showModal();
    else if (/^[1-9]$/.test(event.key) && views[event.key - 1]) go({view: views[event.key - 1].id});
    else if (list && (event.key === 'j' || event.key === 'k')) list.pick(Math.max(0, Math.min(list.items.length - 1, list.picked + (event.key === 'j' ? 1 : -1))));
  });
  let kept = null;
  try { kept = localStorage.getItem('rejig-theme'); } catch { kept = null; }
  if (kept === 'dark' || kept === 'light') setTheme(kept);
  readHash();
  show();
  document.documentElement.dataset.ready = 'yes';
})();
