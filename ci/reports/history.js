"use strict";
// All text of the repository goes in by textContent. Long lists draw what is in view; charts are canvases that keys move through.
const data = JSON.parse(document.getElementById("data").textContent);
const C = data.commits, F = data.findings, S = data.strings;
const N = C.id.length, M = F.rule.length;
const $ = (id) => document.getElementById(id);
const text = (number) => S[number];
const short = (id) => id.slice(0, 8);
const day = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 10);
const total = (names, place) => names.reduce((sum, name) => sum + C[name][place], 0);
const byCommit = new Map();
data.changes.forEach((change, place) => {
  if (!byCommit.has(change.position)) byCommit.set(change.position, []);
  byCommit.get(change.position).push(place);
});
const byFinding = new Map();
data.changes.forEach((change, place) => { if (change.status === "new" && !byFinding.has(change.finding)) byFinding.set(change.finding, place); });

function make(tag, options = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (name === "text") made.textContent = value;
    else if (name === "click") made.addEventListener("click", value);
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}
// A line of a commit, as a link where the repository is shown on the web.
function where(commit, file, line) {
  const shown = make("code", { text: `${file}:${line}` });
  if (!data.pages.root || !commit) return shown;
  const path = file.split("/").map(encodeURIComponent).join("/");
  const rest = data.pages.form.replace("{commit}", commit).replace("{path}", () => path).replace("{line}", line);
  return make("a", { href: data.pages.root + rest, rel: "noreferrer", target: "_blank" }, shown);
}
const by = (place) => C.author[place] ? ` by ${C.author[place]}` : "";
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const say = (words) => { $("said").textContent = words; };

// Details: what is selected, also in the address.
let selected = { commit: -1, finding: -1 };
function showCommit(place, focus = true) {
  if (!(place >= 0 && place < N)) return;
  selected = { commit: place, finding: -1 };
  const box = $("details-text");
  const changes = (byCommit.get(place) || []).map((number) => data.changes[number]);
  const list = (title, some, kind) => some.length ? [make("h3", { text: title, class: kind }), make("ul", {}, ...some.map(line))] : [];
  const line = (change) => {
    const what = `${change.message} (${change.file}:${change.line})`;
    if (change.finding === null) return make("li", { text: what });
    return make("li", {}, make("button", { text: what, click: () => showFinding(change.finding) }));
  };
  box.replaceChildren(
    make("h2", { text: C.subject[place] || "(no subject)" }),
    make("p", {}, make("code", { text: C.id[place] })),
    make("p", { class: "dim", text: `${day(C.time[place])}, commit ${place + 1} of ${N}${by(place)}; ${C.findings[place]} findings; ` +
      `${C.files[place]} source files differ, facts +${C.fi[place]} −${C.fd[place]}, ${C.tuples[place]} derived tuples differ; ` +
      `window ${C.window[place]}, evaluated by ${text(C.strategy[place])}` }),
    ...list("Introduced", changes.filter((change) => change.status === "new"), "bad"),
    ...list("Fixed", changes.filter((change) => change.status === "fixed"), "good"),
    ...list("Unknown, since something was not analysed", changes.filter((change) => change.status === "unknown"), "other"),
    ...(changes.length ? [] : [make("p", { text: "No finding comes or goes with this commit." })]),
    make("p", {}, make("button", { text: "← earlier", click: () => showCommit(place - 1) }), " ",
      make("button", { text: "later →", click: () => showCommit(place + 1) })));
  reveal(`commit=${C.id[place]}`, focus);
}
function showFinding(place, focus = true) {
  if (!(place >= 0 && place < M)) return;
  selected = { commit: -1, finding: place };
  const began = byFinding.get(place);
  const change = began === undefined ? null : data.changes[began];
  const commit = (position) => make("button", { text: `${short(C.id[position])} ${C.subject[position]}`, click: () => showCommit(position) });
  const first = F.first[place], last = F.last[place];
  $("details-text").replaceChildren(
    make("h2", { text: change ? change.message : F.message[place] }),
    make("p", {}, where(C.id[change ? change.position : first], text(F.file[place]), F.line[place]), ` ${text(F.function[place])}`),
    make("p", { class: "dim", text: `${text(F.rule[place])}, ${text(F.severity[place])}, confidence ${text(F.confidence[place])}, ` +
      `fingerprint ${F.fingerprint[place]}${F.suppressed[place] ? ", suppressed" : ""}` }),
    make("p", {}, F.began[place] === "new" ? "Introduced by " : "There at the latest in ", first >= 0 ? commit(first) : "the commit before the range", first >= 0 ? by(first) : ""),
    make("p", {}, ...(last === null ? [F.ended[place] === "unknown" ? "Unknown at the end." : "Open at the end."] : [F.ended[place] === "fixed" ? "Fixed by " : "Ended at ", commit(last), `${by(last)}.`]),
      ` Lived ${F.days[place].toFixed(1)} days, ${F.commits[place]} commits.`),
    ...(change && change.when ? [make("p", { text: change.when })] : []),
    ...(change && change.path.length ? [make("h3", { text: "Path" }), make("ol", {}, ...change.path.map((step) =>
      make("li", {}, where(C.id[change.position], step[0], step[1]), ` ${step[2]}`,
        ...(step[3] ? [make("pre", { text: step[3] })] : []))))] : []));
  reveal(`finding=${place}`, focus);
}
function reveal(hash, focus) {
  $("details").hidden = false;
  $("details").scrollTop = 0;
  history.replaceState(null, "", `#${hash}`);
  say($("details-text").querySelector("h2").textContent);
  if (focus) $("close").focus({ preventScroll: true });
  redraw();
}
let before = null;
function close() {
  $("details").hidden = true;
  selected = { commit: -1, finding: -1 };
  history.replaceState(null, "", location.pathname + location.search);
  redraw();
  if (before && document.contains(before)) before.focus({ preventScroll: true });
}
document.addEventListener("focusin", (event) => { if (!$("details").contains(event.target)) before = event.target; });

// Charts.
const charts = [];
function chart(canvas, height, draw, pick, move) {
  const one = { canvas, height, draw, points: [] };
  canvas.tabIndex = 0;
  canvas.addEventListener("click", (event) => {
    const box = canvas.getBoundingClientRect();
    pick(event.clientX - box.left, event.clientY - box.top, box.width, box.height);
  });
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, PageUp: -20, PageDown: 20, Home: -1e9, End: 1e9 }[event.key];
    if (step === undefined && event.key !== "Enter") return;
    event.preventDefault();
    move(step === undefined ? 0 : step);
  });
  charts.push(one);
}
function redraw() {
  for (const { canvas, height, draw } of charts) {
    const ratio = devicePixelRatio || 1, width = canvas.clientWidth, tall = typeof height === "function" ? height() : height;
    if (!width) continue;
    canvas.width = width * ratio;
    canvas.height = tall * ratio;
    canvas.style.height = `${tall}px`;
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.font = "12px system-ui, sans-serif";
    draw(pen, width, tall);
  }
  for (const grid of grids) grid.show();
}
const LEFT = 40, RIGHT = 10;
const x_of = (place, width) => LEFT + (width - LEFT - RIGHT) * (N > 1 ? place / (N - 1) : 0.5);
const place_of = (x, width) => Math.min(N - 1, Math.max(0, Math.round((x - LEFT) / (width - LEFT - RIGHT) * (N - 1))));
function cursor(pen, place, width, tall) {
  if (place < 0) return;
  pen.strokeStyle = colour("mark");
  pen.beginPath();
  pen.moveTo(x_of(place, width), 0);
  pen.lineTo(x_of(place, width), tall);
  pen.stroke();
}
function axis(pen, words, y) { pen.fillStyle = colour("dim"); pen.textAlign = "right"; pen.fillText(words, LEFT - 5, y); }
function dates(pen, width, y) {
  pen.fillStyle = colour("dim");
  pen.textAlign = "left";
  pen.fillText(day(C.time[0]), LEFT, y);
  if (N > 1 && width > 300) { pen.textAlign = "right"; pen.fillText(day(C.time[N - 1]), width - RIGHT, y); }
}
let at = -1; // the commit that keys have reached
chart($("time"), 260, (pen, width, tall) => {
  const most = Math.max(1, ...[...C.findings]), bar = Math.max(1, ...[...C.introduced], ...[...C.fixed]);
  const split = tall * 0.6, middle = split + (tall - split) / 2 - 4, half = (tall - split) / 2 - 16;
  pen.strokeStyle = colour("text");
  pen.beginPath();
  for (let place = 0; place < N; place++) {
    const y = split - 8 - (split - 24) * C.findings[place] / most;
    if (place) pen.lineTo(x_of(place, width), y); else pen.moveTo(x_of(place, width), y);
  }
  pen.stroke();
  axis(pen, String(most), 18);
  axis(pen, "0", split - 6);
  const thick = Math.max(1.5, Math.min(8, (width - LEFT - RIGHT) / N - 1));
  for (let place = 0; place < N; place++) {
    const x = x_of(place, width) - thick / 2;
    if (C.introduced[place]) { const h = Math.max(3, half * C.introduced[place] / bar); pen.fillStyle = colour("bad"); pen.fillRect(x, middle - h, thick, h); }
    if (C.fixed[place]) { const h = Math.max(3, half * C.fixed[place] / bar); pen.fillStyle = colour("good"); pen.fillRect(x, middle, thick, h); }
  }
  axis(pen, `+${bar}`, middle - half + 8);
  axis(pen, `−${bar}`, middle + half);
  dates(pen, width, tall - 4);
  cursor(pen, selected.commit >= 0 ? selected.commit : at, width, tall);
}, (x, y, width) => {
  // The nearest commit that changes something, if one is near.
  let best = place_of(x, width), gap = 7;
  for (const place of byCommit.keys()) {
    const far = Math.abs(x_of(place, width) - x);
    if (far < gap) { gap = far; best = place; }
  }
  showCommit(best);
}, (step) => {
  if (!step) { showCommit(Math.max(at, 0)); return; }
  at = Math.min(N - 1, Math.max(0, at + step));
  say(`commit ${at + 1}: ${C.subject[at]}, ${C.findings[at]} findings, ${C.introduced[at]} introduced, ${C.fixed[at]} fixed`);
  redraw();
});

// The same, by calendar month.
const byMonth = new Map();
for (let place = 0; place < N; place++) {
  const name = day(C.time[place]).slice(0, 7);
  if (!byMonth.has(name)) byMonth.set(name, { name, first: place, introduced: 0, fixed: 0 });
  byMonth.get(name).introduced += C.introduced[place];
  byMonth.get(name).fixed += C.fixed[place];
}
const months = [...byMonth.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
let month = -1;
chart($("months"), 160, (pen, width, tall) => {
  const most = Math.max(1, ...months.map((one) => Math.max(one.introduced, one.fixed)));
  const step = (width - LEFT - RIGHT) / months.length, middle = (tall - 18) / 2, half = middle - 8;
  const thick = Math.max(1, Math.min(24, step - 2));
  months.forEach((one, place) => {
    const x = LEFT + step * (place + 0.5) - thick / 2, up = half * one.introduced / most, down = half * one.fixed / most;
    pen.fillStyle = colour("bad");
    pen.fillRect(x, middle - up, thick, up);
    pen.fillStyle = colour("good");
    pen.fillRect(x, middle, thick, down);
    if (place === month) { pen.strokeStyle = colour("mark"); pen.strokeRect(x - 2, middle - up - 2, thick + 4, up + down + 4); }
  });
  axis(pen, `+${most}`, middle - half + 8);
  axis(pen, `−${most}`, middle + half);
  pen.textAlign = "left";
  pen.fillText(months[0].name, LEFT, tall - 4);
  if (months.length > 1 && width > 300) { pen.textAlign = "right"; pen.fillText(months[months.length - 1].name, width - RIGHT, tall - 4); }
}, (x, y, width) => {
  const place = Math.floor((x - LEFT) / (width - LEFT - RIGHT) * months.length);
  if (place >= 0 && place < months.length) showMonth(place);
}, (step) => {
  if (!step) { if (month >= 0) showCommit(months[month].first); return; }
  showMonth(Math.min(months.length - 1, Math.max(0, month + step)));
});
function showMonth(place) {
  month = place;
  const one = months[place];
  const words = `${one.name}: ${one.introduced} introduced, ${one.fixed} fixed`;
  $("month").textContent = words;
  say(words);
  redraw();
}

const ROW = 12;
const order = [...Array(M).keys()].sort((one, other) => F.first[one] - F.first[other] || one - other);
const spans = $("spans");
$("spans-room").style.height = `${Math.max(0, M * ROW + 24 - spans.clientHeight)}px`;
let row = -1;
chart($("gantt"), () => spans.clientHeight - 2, (pen, width, tall) => {
  const top = spans.scrollTop, from = Math.floor(top / ROW), to = Math.min(M, Math.ceil((top + tall) / ROW));
  const colours = { open: colour("bad"), fixed: colour("good"), gone: colour("dim"), unknown: colour("other") };
  for (let index = from; index < to; index++) {
    const each = order[index], start = x_of(Math.max(0, F.first[each]), width);
    const end = x_of(F.last[each] === null ? N - 1 : F.last[each], width), y = index * ROW - top + 2;
    pen.fillStyle = colours[F.ended[each]];
    pen.fillRect(start, y, Math.max(3, end - start), ROW - 4);
    if (index === row || each === selected.finding) {
      pen.strokeStyle = colour("mark");
      pen.lineWidth = 2;
      pen.strokeRect(start - 2, y - 2, Math.max(3, end - start) + 4, ROW);
      pen.lineWidth = 1;
    }
  }
  axis(pen, M ? String(from + 1) : "", 12);
  if (!M) { pen.fillStyle = colour("dim"); pen.fillText("No findings in this history.", LEFT, 20); }
}, (x, y) => {
  const index = Math.floor((y + spans.scrollTop) / ROW);
  if (index >= 0 && index < M) { row = index; showFinding(order[index]); }
}, (step) => {
  if (!M) return;
  if (!step) { if (row >= 0) showFinding(order[row]); return; }
  row = Math.min(M - 1, Math.max(0, row + step));
  spans.scrollTop = Math.min(Math.max(spans.scrollTop, (row + 2) * ROW - spans.clientHeight), row * ROW);
  const each = order[row];
  say(`finding ${row + 1} of ${M}: ${F.message[each]}, ${F.ended[each]}`);
  redraw();
});
spans.addEventListener("scroll", redraw);

const changed = [...Array(N).keys()].filter((place) => total(["fi", "fd", "tuples"], place) > 0);
let dot = -1;
const scale = (value, most) => Math.log1p(value) / Math.log1p(Math.max(1, most));
const largest = (names) => changed.reduce((most, place) => Math.max(most, total(names, place)), 1);
const mostFacts = largest(["fi", "fd"]), mostDerived = largest(["tuples"]);
const dot_at = (place, width, tall) => [LEFT + (width - LEFT - RIGHT) * scale(total(["fi", "fd"], place), mostFacts),
  tall - 24 - (tall - 40) * scale(C.tuples[place], mostDerived)];
chart($("scatter"), 280, (pen, width, tall) => {
  for (const place of changed) {
    const [x, y] = dot_at(place, width, tall);
    pen.fillStyle = text(C.strategy[place]) === "update" ? colour("other") : colour("mark");
    pen.globalAlpha = 0.65;
    pen.beginPath();
    pen.arc(x, y, 3, 0, 7);
    pen.fill();
    pen.globalAlpha = 1;
    if (place === selected.commit || changed[dot] === place) { pen.strokeStyle = colour("text"); pen.beginPath(); pen.arc(x, y, 6, 0, 7); pen.stroke(); }
  }
  axis(pen, String(mostDerived), 20);
  axis(pen, "0", tall - 24);
  pen.textAlign = "right";
  pen.fillText(`${mostFacts} facts`, width - RIGHT, tall - 6);
  pen.textAlign = "left";
  pen.fillText("facts that differ, derived tuples that differ (logarithmic)", LEFT, tall - 6, Math.max(60, width - 140));
}, (x, y, width, tall) => {
  let best = -1, gap = 400;
  for (const place of changed) {
    const [dx, dy] = dot_at(place, width, tall), far = (dx - x) ** 2 + (dy - y) ** 2;
    if (far < gap) { gap = far; best = place; }
  }
  if (best >= 0) showCommit(best);
}, (step) => {
  if (!changed.length) return;
  if (!step) { if (dot >= 0) showCommit(changed[dot]); return; }
  dot = Math.min(changed.length - 1, Math.max(0, dot + step));
  const place = changed[dot];
  say(`commit ${place + 1}: ${C.subject[place]}, facts ${total(["fi", "fd"], place)}, derived ${C.tuples[place]}`);
  redraw();
});

// Tables that have only the rows in view.
const grids = [];
const HEIGHT = 30;
function grid(box, kind, cells, open, label) {
  const room = make("div", {}), one = { rows: [], active: 0 };
  box.append(room);
  box.tabIndex = 0;
  box.setAttribute("role", "listbox");
  box.setAttribute("aria-label", label);
  one.show = () => {
    room.style.height = `${one.rows.length * HEIGHT}px`;
    const from = Math.max(0, Math.floor(box.scrollTop / HEIGHT) - 4), to = Math.min(one.rows.length, from + Math.ceil(box.clientHeight / HEIGHT) + 8);
    const made = [];
    for (let index = from; index < to; index++) {
      const line = make("div", { class: `row ${kind}`, role: "option", id: `${box.id}-${index}`, "aria-posinset": index + 1,
        "aria-setsize": one.rows.length, "aria-selected": String(index === one.active), click: () => { one.active = index; open(one.rows[index]); } });
      line.style.top = `${index * HEIGHT}px`;
      for (const [words, type] of cells(one.rows[index])) line.append(make("span", { text: words, class: type || "", title: words }));
      made.push(line);
    }
    room.replaceChildren(...made);
    box.setAttribute("aria-activedescendant", `${box.id}-${one.active}`);
  };
  box.addEventListener("scroll", one.show);
  box.addEventListener("keydown", (event) => {
    const page = Math.floor(box.clientHeight / HEIGHT);
    const step = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -1e9, End: 1e9 }[event.key];
    if (event.key === "Enter" && one.rows.length) { event.preventDefault(); open(one.rows[one.active]); return; }
    if (step === undefined) return;
    event.preventDefault();
    one.active = Math.min(one.rows.length - 1, Math.max(0, one.active + step));
    box.scrollTop = Math.min(Math.max(box.scrollTop, (one.active + 1) * HEIGHT - box.clientHeight), one.active * HEIGHT);
    one.show();
  });
  grids.push(one);
  return one;
}
const signed = (sign, number) => number ? `${sign}${number}` : "";
const commits = grid($("commits"), "of-commits", (place) => [[short(C.id[place]), "dim"], [day(C.time[place]), "dim"], [C.subject[place]],
  [signed("+", C.introduced[place]), "number bad"], [signed("−", C.fixed[place]), "number good"], [String(C.findings[place]), "number"],
  [String(total(["fi", "fd"], place)), "number dim"], [String(C.tuples[place]), "number dim"]], showCommit, "Commits");
const findings = grid($("findings"), "of-findings", (place) => [[text(F.rule[place])], [`${text(F.file[place])}:${F.line[place]}`],
  [text(F.function[place])], [F.ended[place], F.ended[place] === "fixed" ? "good" : F.ended[place] === "open" ? "bad" : F.ended[place] === "unknown" ? "other" : "dim"],
  [F.days[place].toFixed(0), "number"], [String(F.commits[place]), "number"]], showFinding, "Findings");
function filter() {
  const words = $("commit-filter").value.toLowerCase(), only = $("commit-only").checked;
  commits.rows = [...Array(N).keys()].reverse().filter((place) => (!only || byCommit.has(place)) &&
    (!words || C.subject[place].toLowerCase().includes(words) || C.id[place].startsWith(words)));
  const wanted = $("finding-filter").value.toLowerCase(), state = $("finding-state").value;
  findings.rows = order.filter((place) => (!state || F.ended[place] === state) && (!wanted ||
    [text(F.rule[place]), text(F.file[place]), text(F.function[place]), F.message[place]].some((each) => each.toLowerCase().includes(wanted))));
  for (const [each, count, box] of [[commits, "commit-count", "commits"], [findings, "finding-count", "findings"]]) {
    each.active = 0;
    $(box).scrollTop = 0;
    $(count).textContent = String(each.rows.length);
    each.show();
  }
}
for (const id of ["commit-filter", "finding-filter"]) $(id).addEventListener("input", filter);
for (const id of ["commit-only", "finding-state"]) $(id).addEventListener("change", filter);

// Where most findings were.
function hot(body, key) {
  const counts = new Map();
  for (let place = 0; place < M; place++) {
    const name = key(place);
    if (name) { const known = counts.get(name) || [0, 0]; counts.set(name, [known[0] + 1, known[1] + (F.ended[place] === "open")]); }
  }
  const top = [...counts].sort((one, other) => other[1][0] - one[1][0] || (one[0] < other[0] ? -1 : 1)).slice(0, 15);
  for (const [name, [all, open]] of top)
    body.append(make("tr", {}, make("td", {}, make("button", { text: name, click: () => { $("finding-filter").value = name; filter(); $("findings").focus(); } })),
      make("td", { text: all, class: "number" }), make("td", { text: open, class: "number" })));
}
hot($("hot-files"), (place) => text(F.file[place]));
hot($("hot-functions"), (place) => text(F.function[place]));
for (const each of data.windows)
  $("windows").append(make("tr", {}, make("td", {}, make("button", { text: each.window_number, click: () => showCommit(C.id.indexOf(each.first)) })),
    ...[each.commits, each.versions, each.strategy, each.reason, each.price_versions.toFixed(1), each.price_update.toFixed(1), each.seconds.toFixed(1)]
      .map((words) => make("td", { text: words }))));
for (const [name, value] of data.totals) $("totals").append(make("div", {}, make("dt", { text: name }), make("dd", { text: value })));

$("close").addEventListener("click", close);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !$("details").hidden) close();
  if (event.key === "/" && !["INPUT", "SELECT"].includes(document.activeElement.tagName)) { event.preventDefault(); $("finding-filter").focus(); }
});
$("theme").addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  redraw();
});
function follow() {
  const [what, which] = location.hash.slice(1).split("=");
  if (what === "commit") showCommit(C.id.findIndex((id) => which && id.startsWith(which)), false);
  if (what === "finding") showFinding(Number(which), false);
}
addEventListener("hashchange", follow);
addEventListener("resize", redraw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
filter();
redraw();
follow();
document.documentElement.dataset.ready = "true";
