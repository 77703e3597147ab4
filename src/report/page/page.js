// SPDX-License-Identifier: MIT
// Draws the scatter sections of a report: two linked views of the same points on canvas. Everything else of the page is
// plain HTML and SVG. Names reach the page by textContent alone.
(() => {
  'use strict';
  const kMissing = 65535, kFew = 3000, kMany = 20000, kListed = 200, kNamed = 60;
  const root = document.documentElement;
  const style = name => getComputedStyle(root).getPropertyValue(name).trim();
  const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const words = text => new Uint16Array(bytes(text).buffer);
  const element = (parent, tag, properties = {}, text) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    parent.append(made);
    return made;
  };
  const shown = value => Number.isFinite(value) ? String(Number(value.toPrecision(4))).replace('-', '−') : 'missing';
  const colour = i => i < 8 ? style('--c' + i) : `hsl(${Math.round(i * 137.5) % 360} 60% ${i % 2 ? 45 : 60}%)`;
  // Along a ramp that darkens evenly (or lightens, on dark ground).
  const ramp = share => {
    const stops = [style('--ramp0'), style('--ramp1'), style('--ramp2')].map(
      hex => [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16)));
    const at = Math.min(1.9999, 2 * share), i = Math.floor(at), f = at - i;
    return `rgb(${stops[i].map((from, k) => Math.round(from + f * (stops[i + 1][k] - from))).join(' ')})`;
  };

  function ticks(low, high, most) {
    const span = high - low, rough = span / most, power = 10 ** Math.floor(Math.log10(rough));
    const steps = [0.2, 0.5, 1, 2, 5, 10].map(m => m * power), first = steps.findIndex(s => s >= rough);
    const all = [];
    for (let k = first < 0 ? 2 : first; k >= 0 && all.length < 2; --k) { // a narrow picture needs two to be read
      all.length = 0;
      for (let v = Math.ceil(low / steps[k]) * steps[k]; v <= high + 1e-9 * span; v += steps[k])
        all.push(Math.abs(v) < 1e-9 * steps[k] ? 0 : v);
    }
    return all;
  }

  // With as many digits as the ticks need to differ.
  function tickText(value, all) {
    const step = all.length > 1 ? Math.abs(all[1] - all[0]) : 0, digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    return step > 0 && digits < 7 && Math.abs(value) < 1e6 && digits > 3 ? value.toFixed(digits).replace('-', '−') : shown(value);
  }

  // Where a column has few different values (yes and no, counts) the points of one value are spread a little, always in
  // the same way: they would hide each other. What is told of a point is its own value.
  function spread(data, seed) {
    const kMostValues = 24, kShare = 0.16;
    const values = new Set();
    for (const u of data) if (u !== kMissing && values.add(u).size > kMostValues) return data;
    if (values.size < 2 || data.length < 2 * values.size) return data;
    const sorted = [...values].sort((a, b) => a - b);
    const gap = Math.min(...sorted.slice(1).map((u, k) => u - sorted[k]));
    const noise = i => { const x = Math.sin(12.9898 * (i + 1) + 78.233 * (seed + 1)) * 43758.5453; return x - Math.floor(x) - 0.5; };
    const [least, most] = [sorted[0], sorted[sorted.length - 1]]; // which stay inside of the picture
    return Float32Array.from(data, (u, i) => {
      const off = 2 * kShare * gap * noise(i);
      return u === kMissing ? u : u === least ? u + Math.abs(off) : u === most ? u - Math.abs(off) : u + off;
    });
  }

  // --- the points of one section, and what is chosen among them ---

  class Points {
    constructor(data) {
      this.n = data.n;
      this.names = data.names;
      this.columns = data.columns.map(c => ({...c, data: words(c.data)}));
      for (const [c, column] of this.columns.entries()) {
        // What differs by rounding only is drawn as one value.
        column.flat = column.high - column.low <= 1e-6 * Math.max(Math.abs(column.low), Math.abs(column.high));
        column.places = column.flat ? Uint16Array.from(column.data, u => u === kMissing ? u : 32767) : spread(column.data, c);
      }
      this.groups = data.groups.map(g => ({...g, data: g.wide ? words(g.data) : bytes(g.data), hidden: new Set()}));
      this.edges = data.edges ? new Uint32Array(bytes(data.edges).buffer) : null;
      this.equal = data.equal;
      this.selected = new Uint8Array(this.n);
      this.count = 0;
      this.hovered = -1;
      this.views = [];
    }
    // Counted from 0, as in files of pairs and in what the program says.
    name(i) { return this.names ? this.names[i] : 'sample ' + i; }
    value(c, i) {
      const column = this.columns[c], u = column.data[i];
      return u === kMissing ? NaN : column.low + u / 65534 * (column.high - column.low);
    }
    visible(i) { return this.groups.every(g => !g.hidden.size || !g.hidden.has(g.data[i])); }
    select(test) {
      this.count = 0;
      for (let i = 0; i < this.n; ++i) this.count += this.selected[i] = test && this.visible(i) && test(i) ? 1 : 0;
      this.draw();
      this.list();
    }
    hover(i) {
      if (i === this.hovered) return;
      this.hovered = i;
      for (const view of this.views) view.overlay();
    }
    draw() { for (const view of this.views) view.draw(); }
    facts(i) {
      return [...this.groups.map(g => [g.name, g.classes[g.data[i]]]),
              ...this.columns.map((c, k) => [c.name, shown(this.value(k, i))])];
    }
  }

  // Many points are written as pixels: ten times faster than as shapes. Where they lie on each other they grow opaque.
  class Pixels {
    constructor(view, palette) {
      const scratch = this.scratch = document.createElement('canvas');
      [scratch.width, scratch.height] = [view.canvas.width, view.canvas.height];
      this.context = scratch.getContext('2d');
      this.image = this.context.createImageData(scratch.width, scratch.height);
      this.words = new Uint32Array(this.image.data.buffer);
      this.ratio = view.ratio;
      this.size = Math.max(1, Math.round((view.points.n > kMany ? 1.8 : 2.8) * view.ratio));
      this.first = view.points.n > kMany ? 150 : 215;
      this.colours = palette.map(text => { // 0x00bbggrr
        this.context.fillStyle = text;
        const hex = parseInt(this.context.fillStyle.slice(1), 16);
        return hex >> 16 | hex & 0xff00 | (hex & 255) << 16;
      });
    }
    dot(x, y, c, faint) {
      const {width, height} = this.scratch, {size, words} = this;
      const left = Math.round(x * this.ratio - size / 2), top = Math.round(y * this.ratio - size / 2);
      for (let row = Math.max(0, top); row < Math.min(height, top + size); ++row)
        for (let column = Math.max(0, left); column < Math.min(width, left + size); ++column) {
          const at = row * width + column, before = words[at] >>> 24;
          if (faint && before) continue;
          const alpha = faint ? 30 : before > 30 ? Math.min(255, before + 60) : this.first;
          words[at] = this.colours[c] | alpha << 24;
        }
    }
    show(g) {
      this.context.putImageData(this.image, 0, 0);
      g.drawImage(this.scratch, 0, 0, this.scratch.width / this.ratio, this.scratch.height / this.ratio);
    }
  }

  // --- one canvas ---

  const kLeft = 58, kBottom = 44, kTop = 10, kRight = 12;

  class View {
    constructor(points, host, start, tools) {
      this.points = points;
      [this.x, this.y, this.by] = start;
      this.tools = tools;
      this.zoom = 1;
      this.shift = [0, 0];
      const figure = element(host, 'div', {class: 'view'});
      const controls = element(figure, 'div', {class: 'controls'});
      const choose = (label, options, value, act) => {
        const box = element(element(controls, 'label', {}, label + ' '), 'select');
        options.forEach((text, i) => element(box, 'option', {value: i}, text));
        box.value = value;
        box.addEventListener('change', () => { act(+box.value); this.reset(); });
      };
      const names = points.columns.map(c => c.name);
      choose('across', names, this.x, v => this.x = v);
      choose('up', names, this.y, v => this.y = v);
      choose('colour', [...points.groups.map(g => g.name), ...names, 'none'], this.by < 0 ? points.groups.length + names.length : this.by,
             v => { this.by = v; this.legend(); });
      this.frame = element(figure, 'div', {class: 'frame'});
      this.canvas = element(this.frame, 'canvas', {
        class: 'points', tabindex: 0, role: 'application',
        'aria-label': `Scatter plot of ${points.n} samples. Arrow keys move, plus and minus zoom, 0 shows all, ` +
          'comma and full stop go from sample to sample, Enter selects, Escape clears.'});
      this.top = element(this.frame, 'canvas', {class: 'overlay', 'aria-hidden': 'true'});
      this.tip = element(this.frame, 'div', {class: 'tip', hidden: ''});
      this.key = element(figure, 'div', {class: 'legend', role: 'group', 'aria-label': 'classes'});
      points.views.push(this);
      this.listen();
      this.legend();
      new ResizeObserver(() => this.resize()).observe(this.frame);
      this.resize();
    }

    resize() {
      const width = this.frame.clientWidth, height = this.frame.clientHeight, ratio = window.devicePixelRatio || 1;
      if (!width || (width === this.width && height === this.height && ratio === this.ratio)) return;
      Object.assign(this, {width, height, ratio});
      for (const each of [this.canvas, this.top]) {
        each.width = width * ratio;
        each.height = height * ratio;
      }
      this.draw();
      this.overlay();
    }

    reset() {
      this.zoom = 1;
      this.shift = [0, 0];
      this.draw();
      this.overlay();
    }

    // Pixels of a column's stored numbers: position = a·u + b.
    scale() {
      const {points} = this, wide = this.width - kLeft - kRight, tall = this.height - kTop - kBottom;
      const spans = [points.columns[this.x], points.columns[this.y]].map(c => (c.high - c.low) || 1);
      let unit = [wide * 0.94 / spans[0], tall * 0.94 / spans[1]];
      if (points.equal) unit = [Math.min(...unit), Math.min(...unit)];
      const middle = [kLeft + wide / 2, kTop + tall / 2];
      const along = [0, 1].map(k => this.zoom * unit[k] * spans[k] / 65534);
      return {ax: along[0], bx: middle[0] + this.shift[0] - along[0] * 32767,
              ay: -along[1], by: middle[1] + this.shift[1] + along[1] * 32767};
    }

    place(i) {
      const s = this.scale(), u = this.points.columns[this.x].places[i], v = this.points.columns[this.y].places[i];
      return u === kMissing || v === kMissing ? null : [s.ax * u + s.bx, s.ay * v + s.by];
    }

    colours() { // colour number of each point, and the colours
      const {points} = this, groups = points.groups.length;
      if (this.by >= 0 && this.by < groups) {
        const group = points.groups[this.by];
        return [group.data, group.classes.map((_, i) => colour(i))];
      }
      if (this.by >= groups && this.by < groups + points.columns.length) {
        const of = points.columns[this.by - groups].data, kSteps = 64;
        return [Uint8Array.from(of, u => u === kMissing ? kSteps : Math.min(kSteps - 1, u * kSteps >> 16)),
                [...Array.from({length: kSteps}, (_, i) => ramp(i / (kSteps - 1))), style('--faint')]];
      }
      return [new Uint8Array(points.n), [colour(0)]];
    }

    draw() {
      if (!this.width) return;
      const began = performance.now(), {points} = this, g = this.canvas.getContext('2d'), s = this.scale();
      g.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      g.clearRect(0, 0, this.width, this.height);
      this.axes(g, s);
      g.save();
      g.beginPath();
      g.rect(kLeft, kTop, this.width - kLeft - kRight, this.height - kTop - kBottom);
      g.clip();
      if (points.edges) this.lines(g, s);
      const [of, palette] = this.colours(), u = points.columns[this.x].places, v = points.columns[this.y].places;
      const buckets = palette.map(() => []), pixels = points.n > kFew ? new Pixels(this, palette) : null;
      const all = points.groups.every(group => !group.hidden.size);
      let drawn = 0;
      const spots = [];
      for (let i = 0; i < points.n; ++i) {
        if (u[i] === kMissing || v[i] === kMissing || !(all || points.visible(i))) continue;
        const px = s.ax * u[i] + s.bx, py = s.ay * v[i] + s.by;
        if (px < kLeft - 4 || py < kTop - 4 || px > this.width + 4 || py > this.height - kBottom + 4) continue;
        if (pixels) pixels.dot(px, py, of[i], points.count > 0 && !points.selected[i]);
        else (buckets[of[i]] || buckets[0]).push(px, py, points.selected[i]);
        if (++drawn <= kNamed) spots.push([px, py, i]);
      }
      if (pixels) pixels.show(g);
      for (const lit of points.count ? [0, 1] : [0]) {
        g.globalAlpha = points.count && !lit ? 0.12 : 0.85;
        buckets.forEach((list, c) => this.dots(g, list, palette[c], points.count ? lit : -1, points.n));
      }
      this.canvas.dataset.named = points.names && drawn <= kNamed ? this.write(g, spots) : 0;
      g.restore();
      this.canvas.dataset.drawn = drawn;
      this.canvas.dataset.milliseconds = (performance.now() - began).toFixed(1);
    }

    // Names where few points are in sight, also after zooming in: beside a point, above or below it, or nowhere.
    write(g, spots) {
      const taken = spots.map(([x, y]) => [x - 4, y - 4, x + 4, y + 4]);
      const free = b => b[0] >= kLeft && b[1] >= kTop && b[2] <= this.width - kRight && b[3] <= this.height - kBottom
        && taken.every(t => t[2] <= b[0] || t[0] >= b[2] || t[3] <= b[1] || t[1] >= b[3]);
      let written = 0;
      g.globalAlpha = 1;
      g.font = '11px system-ui, sans-serif';
      g.textAlign = 'left';
      g.lineWidth = 3;
      g.strokeStyle = style('--panel');
      g.fillStyle = style('--ink');
      for (const [x, y, i] of spots) {
        if (this.points.count && !this.points.selected[i]) continue;
        const name = fitted(g, this.points.name(i), 110), w = g.measureText(name).width;
        const box = [[x + 7, y - 6], [x - 7 - w, y - 6], [x - w / 2, y - 18], [x - w / 2, y + 7]]
          .map(([left, top]) => [left, top, left + w, top + 12]).find(free);
        if (!box) continue;
        taken.push(box);
        g.strokeText(name, box[0], box[1] + 10);
        g.fillText(name, box[0], box[1] + 10);
        ++written;
      }
      return written;
    }

    // A ring around each, so that neighbours are told apart; point by point, or many in one place would vanish beneath
    // the rings of the others. Of very many only the fillings are seen.
    dots(g, list, fill, lit, n) {
      g.fillStyle = fill;
      const radius = n > 800 ? 2.8 : 4;
      g.strokeStyle = style('--panel');
      g.lineWidth = 0.8;
      const few = n <= 2000;
      g.beginPath();
      for (let k = 0; k < list.length; k += 3) {
        if (lit >= 0 && list[k + 2] !== lit) continue;
        if (few) g.beginPath();
        g.moveTo(list[k] + radius, list[k + 1]);
        g.arc(list[k], list[k + 1], radius, 0, 2 * Math.PI);
        if (few) g.fill(), g.stroke();
      }
      if (!few) g.stroke(), g.fill();
    }

    lines(g, s) {
      const {points} = this, u = points.columns[this.x].places, v = points.columns[this.y].places;
      g.strokeStyle = style('--rule');
      g.lineWidth = 0.7;
      g.beginPath();
      for (let k = 0; k < points.edges.length; k += 2) {
        const [i, j] = [points.edges[k], points.edges[k + 1]];
        g.moveTo(s.ax * u[i] + s.bx, s.ay * v[i] + s.by);
        g.lineTo(s.ax * u[j] + s.bx, s.ay * v[j] + s.by);
      }
      g.stroke();
    }

    axes(g, s) {
      const right = this.width - kRight, bottom = this.height - kBottom;
      const value = (column, a, b, pixel) => column.low + (pixel - b) / a / 65534 * (column.high - column.low || 1);
      const pixel = (column, a, b, of) => a * (column.flat ? 32767 : 65534 * (of - column.low) / (column.high - column.low || 1)) + b;
      const [X, Y] = [this.points.columns[this.x], this.points.columns[this.y]];
      g.font = '11px system-ui, sans-serif';
      g.strokeStyle = style('--grid');
      g.fillStyle = style('--muted');
      g.lineWidth = 1;
      g.textAlign = 'center';
      g.beginPath();
      const across = X.flat ? [(X.low + X.high) / 2]
        : ticks(value(X, s.ax, s.bx, kLeft), value(X, s.ax, s.bx, right), Math.max(3, this.width / 90));
      for (const t of across) {
        const p = Math.round(pixel(X, s.ax, s.bx, t)) + 0.5;
        g.moveTo(p, kTop);
        g.lineTo(p, bottom);
        g.fillText(tickText(t, across), p, bottom + 15);
      }
      g.textAlign = 'right';
      const up = Y.flat ? [(Y.low + Y.high) / 2]
        : ticks(value(Y, s.ay, s.by, bottom), value(Y, s.ay, s.by, kTop), Math.max(3, this.height / 70));
      for (const t of up) {
        const p = Math.round(pixel(Y, s.ay, s.by, t)) + 0.5;
        g.moveTo(kLeft, p);
        g.lineTo(right, p);
        g.fillText(tickText(t, up), kLeft - 6, p + 4);
      }
      g.stroke();
      g.fillStyle = style('--ink');
      g.font = '12px system-ui, sans-serif';
      g.textAlign = 'center';
      g.fillText(fitted(g, X.name, right - kLeft), (kLeft + right) / 2, this.height - 8);
      g.save();
      g.translate(13, (kTop + bottom) / 2);
      g.rotate(-Math.PI / 2);
      g.fillText(fitted(g, Y.name, bottom - kTop), 0, 0);
      g.restore();
    }

    overlay() { // the ring, the words beside it, and the lasso
      const g = this.top.getContext('2d'), {points} = this, i = points.hovered;
      g.setTransform(this.ratio || 1, 0, 0, this.ratio || 1, 0, 0);
      g.clearRect(0, 0, this.width, this.height);
      if (this.lasso) {
        g.strokeStyle = style('--accent');
        g.fillStyle = style('--accent') + '22';
        g.lineWidth = 1.5;
        g.setLineDash([5, 4]);
        g.beginPath();
        this.lasso.forEach(([x, y], k) => k ? g.lineTo(x, y) : g.moveTo(x, y));
        g.closePath();
        g.fill();
        g.stroke();
        g.setLineDash([]);
      }
      const at = i < 0 ? null : this.place(i);
      this.tip.hidden = !at || !this.active;
      if (!at) return;
      g.strokeStyle = style('--ink');
      g.lineWidth = 2;
      g.beginPath();
      g.arc(at[0], at[1], 7, 0, 2 * Math.PI);
      g.stroke();
      if (this.tip.hidden) return;
      this.tip.replaceChildren();
      element(this.tip, 'strong', {}, points.name(i));
      for (const [name, value] of points.facts(i)) {
        const line = element(this.tip, 'div');
        element(line, 'span', {}, name);
        element(line, 'span', {}, value);
      }
      const left = at[0] + 14 + this.tip.offsetWidth > this.width ? at[0] - 14 - this.tip.offsetWidth : at[0] + 14;
      this.tip.style.left = Math.max(0, left) + 'px';
      this.tip.style.top = Math.max(0, Math.min(at[1] - 10, this.height - this.tip.offsetHeight)) + 'px';
    }

    nearest(x, y, within) {
      const {points} = this, s = this.scale(), u = points.columns[this.x].data, v = points.columns[this.y].data;
      let best = -1, least = within * within;
      for (let i = 0; i < points.n; ++i) {
        if (u[i] === kMissing || v[i] === kMissing) continue;
        const dx = s.ax * u[i] + s.bx - x, dy = s.ay * v[i] + s.by - y, d = dx * dx + dy * dy;
        if (d < least && points.visible(i)) [best, least] = [i, d];
      }
      return best;
    }

    magnify(factor, x = this.width / 2, y = this.height / 2) {
      const to = Math.min(500, Math.max(0.5, this.zoom * factor)), by = to / this.zoom;
      const middle = [kLeft + (this.width - kLeft - kRight) / 2, kTop + (this.height - kTop - kBottom) / 2];
      [x, y].forEach((at, k) => this.shift[k] = at - middle[k] - by * (at - middle[k] - this.shift[k]));
      this.zoom = to;
      this.canvas.dataset.zoom = to.toFixed(3);
      this.draw();
      this.overlay();
    }

    listen() {
      const spot = event => {
        const box = this.canvas.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
      };
      let from = null;
      this.canvas.addEventListener('wheel', event => {
        event.preventDefault();
        this.magnify(event.deltaY < 0 ? 1.25 : 0.8, ...spot(event));
      }, {passive: false});
      this.canvas.addEventListener('dblclick', () => this.reset());
      this.canvas.addEventListener('pointerdown', event => {
        from = spot(event);
        this.canvas.setPointerCapture(event.pointerId);
        this.lasso = this.tools.lasso !== event.shiftKey ? [from] : null;
      });
      this.canvas.addEventListener('pointermove', event => {
        const at = spot(event);
        if (from && this.lasso) {
          this.lasso.push(at);
          this.overlay();
        } else if (from) {
          this.shift = this.shift.map((s, k) => s + at[k] - from[k]);
          from = at;
          this.draw();
          this.overlay();
        } else {
          this.active = true;
          this.points.hover(this.nearest(...at, 14));
        }
      });
      const end = () => {
        if (this.lasso && this.lasso.length > 3) this.enclose(this.lasso);
        from = this.lasso = null;
        this.overlay();
      };
      this.canvas.addEventListener('pointerup', end);
      this.canvas.addEventListener('pointercancel', end);
      this.canvas.addEventListener('pointerleave', () => {
        this.active = false;
        if (!from) this.points.hover(-1);
      });
      this.canvas.addEventListener('keydown', event => this.press(event));
    }

    press(event) {
      const {points} = this, kStep = 40;
      const step = by => {
        let i = points.hovered;
        for (let k = 0; k < points.n; ++k) {
          i = (i + by + points.n) % points.n;
          if (points.visible(i) && this.place(i)) break;
        }
        this.active = true;
        points.hover(i);
        points.say([points.name(i), ...points.facts(i).map(f => f.join(' '))].join(', '));
      };
      const move = (x, y) => { this.shift = [this.shift[0] + x, this.shift[1] + y]; this.draw(); this.overlay(); };
      const act = {
        '+': () => this.magnify(1.25), '=': () => this.magnify(1.25), '-': () => this.magnify(0.8), '0': () => this.reset(),
        ArrowLeft: () => move(kStep, 0), ArrowRight: () => move(-kStep, 0), ArrowUp: () => move(0, kStep),
        ArrowDown: () => move(0, -kStep), '.': () => step(1), ',': () => step(-1), Escape: () => points.select(null),
        Enter: () => points.hovered >= 0 && points.select(i => points.selected[i] || i === points.hovered),
      }[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
    }

    enclose(path) {
      const inside = ([x, y]) => {
        let odd = false;
        for (let a = 0, b = path.length - 1; a < path.length; b = a++) {
          const [xa, ya] = path[a], [xb, yb] = path[b];
          if (ya > y !== yb > y && x < (xb - xa) * (y - ya) / (yb - ya) + xa) odd = !odd;
        }
        return odd;
      };
      this.points.select(i => {
        const at = this.place(i);
        return at && inside(at);
      });
    }

    legend() {
      const {points, key} = this, group = points.groups[this.by];
      key.replaceChildren();
      const column = points.columns[this.by - points.groups.length];
      if (column) {
        element(key, 'span', {}, shown(column.low));
        element(key, 'span', {class: 'ramp'});
        element(key, 'span', {}, shown(column.high));
      }
      if (!group) return;
      group.classes.slice(0, 40).forEach((name, c) => {
        const item = element(key, 'button', {type: 'button', 'aria-pressed': !group.hidden.has(c)});
        element(item, 'i').style.background = colour(c);
        element(item, 'span', {}, name);
        element(item, 'small', {}, group.counts[c].toLocaleString('en'));
        item.addEventListener('click', () => {
          if (!group.hidden.delete(c)) group.hidden.add(c);
          for (const view of points.views) view.legend();
          points.draw();
        });
      });
      if (group.classes.length > 40) element(key, 'span', {}, `… and ${group.classes.length - 40} more`);
    }
  }

  function fitted(g, text, width) {
    if (g.measureText(text).width <= width) return text;
    let end = text.length;
    while (end > 1 && g.measureText(text.slice(0, end) + '…').width > width) --end;
    return text.slice(0, end) + '…';
  }

  // --- a whole section ---

  function build(host, data) {
    const points = new Points(data), tools = {lasso: false};
    const bar = element(host, 'div', {class: 'tools', role: 'toolbar', 'aria-label': 'tools'});
    const tool = (text, title, act) => {
      const made = element(bar, 'button', {type: 'button', title}, text);
      made.addEventListener('click', () => act(made));
      return made;
    };
    tool('Lasso', 'draw around samples to list them; or hold Shift', made => {
      tools.lasso = !tools.lasso;
      made.setAttribute('aria-pressed', tools.lasso);
      host.classList.toggle('lassoing', tools.lasso);
    }).setAttribute('aria-pressed', 'false');
    tool('+', 'zoom in', () => points.views.forEach(v => v.magnify(1.4)));
    tool('−', 'zoom out', () => points.views.forEach(v => v.magnify(1 / 1.4)));
    tool('Show all', 'whole picture', () => points.views.forEach(v => v.reset()));
    element(bar, 'span', {class: 'hint'}, 'Drag moves, wheel zooms, Shift and drag selects; the two views share what is selected.' +
      (points.columns.some(c => c.places !== c.data && !c.flat) ? ' Equal values are spread a little.' : ''));
    const pair = element(host, 'div', {class: 'pair'});
    const live = element(host, 'p', {class: 'unseen', 'aria-live': 'polite'});
    const chosen = element(host, 'div', {class: 'chosen'});
    points.say = text => live.textContent = text;
    points.list = () => list(points, chosen);
    for (const start of data.views) new View(points, pair, start, tools);
    host.points = points;
  }

  function list(points, host) {
    host.replaceChildren();
    if (!points.count) return;
    const indices = [];
    for (let i = 0; i < points.n; ++i) if (points.selected[i]) indices.push(i);
    const line = element(host, 'p', {}, `${points.count.toLocaleString('en')} selected: `);
    const file = element(line, 'button', {type: 'button'}, 'Download CSV');
    file.addEventListener('click', () => save(csv(points, indices), 'selected.csv'));
    element(line, 'button', {type: 'button'}, 'Clear').addEventListener('click', () => points.select(null));
    const table = element(element(host, 'div', {class: 'wide'}), 'table');
    const heads = ['sample', ...points.groups.map(g => g.name), ...points.columns.map(c => c.name)];
    const row = element(element(table, 'thead'), 'tr');
    for (const text of heads) element(row, 'th', {scope: 'col'}, text);
    const body = element(table, 'tbody');
    for (const i of indices.slice(0, kListed)) {
      const cells = element(body, 'tr');
      element(cells, 'td', {}, points.name(i));
      for (const [, value] of points.facts(i)) element(cells, 'td', {}, value);
    }
    if (indices.length > kListed) element(host, 'p', {}, `… and ${indices.length - kListed} more; the file has them all.`);
    points.say(`${points.count} selected`);
  }

  function csv(points, indices) {
    // A field that a spreadsheet would take for a formula begins with a quote there.
    const field = value => {
      const text = String(value), safe = /^[=+@\t\r]|^-[^0-9.]/.test(text) ? "'" + text : text;
      return /[",\n\r]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
    };
    const lines = [['row', 'sample', ...points.groups.map(g => g.name), ...points.columns.map(c => c.name)]];
    for (const i of indices)
      lines.push([i, points.name(i), ...points.groups.map(g => g.classes[g.data[i]]),
                  ...points.columns.map((c, k) => { const v = points.value(k, i); return Number.isFinite(v) ? Number(v.toPrecision(6)) : ''; })]);
    return lines.map(line => line.map(field).join(',')).join('\n') + '\n';
  }

  function save(text, name) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], {type: 'text/csv'}));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // --- the page ---

  const all = JSON.parse(document.getElementById('data').textContent);
  const hosts = [...document.querySelectorAll('.scatter')];
  const redraw = () => hosts.forEach(host => { host.points.draw(); host.points.views.forEach(v => { v.legend(); v.overlay(); }); });
  hosts.forEach((host, i) => build(host, all[i]));
  // Rows of tables that are about samples show them among the others.
  if (hosts.length)
    for (const row of document.querySelectorAll('tr[data-points]')) {
      const chosen = new Set(row.dataset.points.split(' ').map(Number));
      const head = row.closest('table').tHead.rows[0];
      if (head.cells.length === row.cells.length) element(head, 'td');
      const show = element(element(row, 'td'), 'button', {type: 'button'}, 'Show');
      show.addEventListener('click', () => {
        hosts[0].points.select(i => chosen.has(i));
        hosts[0].scrollIntoView({block: 'nearest'});
      });
    }
  const button = document.getElementById('theme');
  const dark = () => root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  button.hidden = false;
  button.addEventListener('click', () => { root.dataset.theme = dark() ? 'light' : 'dark'; redraw(); });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  let before, folded; // paper is light, and nothing on it can be unfolded
  addEventListener('beforeprint', () => {
    before = root.dataset.theme;
    root.dataset.theme = 'light';
    folded = [...document.querySelectorAll('details:not([open])')];
    folded.forEach(each => each.open = true);
    redraw();
  });
  addEventListener('afterprint', () => {
    before ? root.dataset.theme = before : delete root.dataset.theme;
    folded.forEach(each => each.open = false);
    redraw();
  });
  const copy = document.getElementById('copy');
  if (copy && navigator.clipboard) {
    copy.hidden = false;
    copy.addEventListener('click', () => navigator.clipboard.writeText(document.getElementById('command').textContent)
      .then(() => copy.textContent = 'Copied'));
  }
  root.dataset.ready = 'yes';
})();
