"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const SHARE = { always: 0.95, usually: 0.75, sometimes: 0.35, rarely: 0.05 };
const ORDER = ["always", "usually", "sometimes", "rarely"];
const WORDS = {
	en: {
		other: "中文", search: "Search causes, phenomena, tickets, ids", tickets: "Show tickets",
		hint: "Click a dot or a name · drag to move · wheel or + − to zoom · / to search · Esc to go back",
		counts: (c, p, l, t) => `${c} causes, ${p} phenomena, ${l} links, ${t} tickets`,
		always: "always", usually: "usually", sometimes: "sometimes", rarely: "rarely",
		links: "What it shows", causes: "What it comes from", near: "Hard to tell from", past: "Tickets", how: "How to look", when: "Present when",
		apart: (name) => `told apart best by: ${name}`, nothing: "nothing tells them apart", of: (n, all) => `${n} of ${all} tickets`,
		welcome: "Each large dot is a root cause, coloured by its category; each small one is something a person can see. Pick one to read how they hang together.",
		none: "Nothing found", recorded: "recorded",
	},
	zh: {
		other: "English", search: "搜索根因、现象、工单或编号", tickets: "显示工单",
		hint: "点击圆点或名称 · 拖动平移 · 滚轮或 + − 缩放 · / 搜索 · Esc 返回",
		counts: (c, p, l, t) => `${c} 个根因，${p} 个现象，${l} 条关联，${t} 个工单`,
		always: "总是", usually: "通常", sometimes: "有时", rarely: "很少",
		links: "会看到什么", causes: "可能的根因", near: "容易混淆的根因", past: "工单", how: "怎么看", when: "什么算有",
		apart: (name) => `最能区分的是：${name}`, nothing: "没有现象能区分", of: (n, all) => `${all} 个工单中的 ${n} 个`,
		welcome: "大圆点是根因，按类别着色；小圆点是人能看到的现象。选一个，看它们怎么关联。",
		none: "没有找到", recorded: "记录了",
	},
};
const $ = (id) => document.getElementById(id);
let language = navigator.language.startsWith("zh") ? "zh" : "en";
const say = (name) => WORDS[language][name];
const told = (text) => text[language] || text.en || text.zh || "";

// Nodes ---------------------------------------------------------------------------------------------------------------
const categories = [...new Set(data.causes.map((cause) => cause.category))].sort();
const hue = (category) => (categories.indexOf(category) * 360) / categories.length;
const color = (category, dark) => `hsl(${hue(category)} ${dark ? "65% 65%" : "60% 44%"})`;
const nodes = new Map();
for (const cause of data.causes) nodes.set(cause.id, { kind: "cause", entry: cause, radius: 7, neighbours: new Set() });
for (const entry of data.phenomena) nodes.set(entry.id, { kind: "phenomenon", entry, radius: 3, neighbours: new Set(), causes: [] });
const edges = [];
function join(one, other, weight) {
	const [from, to] = [nodes.get(one), nodes.get(other)];
	from.neighbours.add(to); to.neighbours.add(from);
	edges.push({ from, to, weight });
}
let linkCount = 0;
for (const cause of data.causes) for (const link of cause.links) {
	linkCount += 1;
	const phenomenon = nodes.get(link.to);
	phenomenon.causes.push({ cause, link });
	if (link.strength !== "rarely") { join(cause.id, link.to, SHARE[link.strength]); phenomenon.radius = Math.min(7, phenomenon.radius + 0.15); }
}
const ticketsOf = new Map(data.causes.map((cause) => [cause.id, []]));
for (const ticket of data.tickets) {
	ticketsOf.get(ticket.cause).push(ticket);
	nodes.set(ticket.id, { kind: "ticket", entry: ticket, radius: 2, neighbours: new Set() });
	join(ticket.id, ticket.cause, 1);
}

// Numbers in plain arrays: all pairs are looked at in every round.
function settle(all, springs) {
	const count = all.length, place = new Map(all.map((node, at) => [node, at]));
	const x = Float64Array.from(all, (node) => node.x), y = Float64Array.from(all, (node) => node.y);
	const dx = new Float64Array(count), dy = new Float64Array(count), isCause = Uint8Array.from(all, (node) => node.kind === "cause");
	const pulls = springs.map(({ from, to, weight }) => [place.get(from), place.get(to), (0.02 * weight) / Math.sqrt(to.neighbours.size)]);
	const rounds = Math.max(40, Math.min(220, Math.round(3e7 / (count * count))));
	for (let round = 0; round < rounds; round += 1) {
		const heat = (12 * 220 / rounds) * (1 - round / rounds) + 0.4;
		for (let i = 0; i < count; i += 1) { dx[i] = -0.004 * x[i]; dy[i] = -0.004 * y[i]; }
		for (let i = 0; i < count; i += 1) for (let j = i + 1; j < count; j += 1) {
			const across = x[i] - x[j], down = y[i] - y[j], square = across * across + down * down + 0.01;
			if (square > 40000) continue;
			const push = (isCause[i] && isCause[j] ? 900 : 220) / square;
			dx[i] += across * push; dy[i] += down * push; dx[j] -= across * push; dy[j] -= down * push;
		}
		for (const [from, to, pull] of pulls) {
			const across = (x[to] - x[from]) * pull, down = (y[to] - y[from]) * pull;
			dx[from] += across; dy[from] += down; dx[to] -= across; dy[to] -= down;
		}
		for (let i = 0; i < count; i += 1) {
			const length = Math.sqrt(dx[i] * dx[i] + dy[i] * dy[i]) || 1, step = Math.min(heat, length) / length;
			x[i] += dx[i] * step; y[i] += dy[i] * step;
		}
	}
	all.forEach((node, at) => Object.assign(node, { x: x[at], y: y[at] }));
}

// Layout: causes of a category begin together on a ring, phenomena between their causes; springs and distance do the rest.
function layOut() {
	const all = [...nodes.values()].filter((node) => node.kind !== "ticket");
	let drawn = 42;
	const random = () => { drawn = (drawn * 16807) % 2147483647; return drawn / 2147483647 - 0.5; };
	const ordered = [...data.causes].sort((a, b) => a.category.localeCompare(b.category) || a.id.localeCompare(b.id));
	ordered.forEach((cause, at) => {
		const angle = (2 * Math.PI * at) / ordered.length;
		Object.assign(nodes.get(cause.id), { x: 420 * Math.cos(angle), y: 420 * Math.sin(angle) });
	});
	for (const node of all) if (node.kind === "phenomenon") {
		const around = [...node.neighbours].filter((other) => other.kind === "cause");
		const mean = (axis) => around.reduce((sum, other) => sum + other[axis], 0) / (around.length || 1);
		Object.assign(node, { x: mean("x") + 60 * random(), y: mean("y") + 60 * random() });
	}
	settle(all, edges.filter((edge) => edge.from.kind === "cause"));
	for (const [cause, tickets] of ticketsOf) tickets.forEach((ticket, at) => {
		const { x, y } = nodes.get(cause);
		const angle = (2 * Math.PI * at) / tickets.length;
		Object.assign(nodes.get(ticket.id), { x: x + 14 * Math.cos(angle), y: y + 14 * Math.sin(angle) });
	});
}

// Drawing -------------------------------------------------------------------------------------------------------------
const canvas = $("canvas");
const pen = canvas.getContext("2d");
const view = { x: 0, y: 0, scale: 1 };
let chosen = null, hovered = null;
const hidden = new Set();
const isHidden = (node) => (node.kind === "cause" && hidden.has(node.entry.category))
	|| (node.kind === "phenomenon" && node.neighbours.size > 0 && [...node.neighbours].every((other) => other.kind === "cause" && hidden.has(other.entry.category)))
	|| (node.kind === "ticket" && (!$("tickets").checked || hidden.has(nodes.get(node.entry.cause).entry.category)));
function fit() {
	const shown = [...nodes.values()].filter((node) => node.kind !== "ticket");
	const span = (axis) => [Math.min(...shown.map((n) => n[axis])), Math.max(...shown.map((n) => n[axis]))];
	const [[left, right], [top, bottom]] = [span("x"), span("y")];
	const { clientWidth: width, clientHeight: height } = canvas;
	view.scale = Math.min(width / (right - left + 160), height / (bottom - top + 90)) || 1;
	view.x = width / 2 - (view.scale * (left + right)) / 2;
	view.y = height / 2 - (view.scale * (top + bottom)) / 2;
}
function nameOf(node) { return node.kind === "ticket" ? node.entry.id : told(node.entry.name); }
function draw() {
	const ratio = window.devicePixelRatio || 1;
	const { clientWidth: width, clientHeight: height } = canvas;
	canvas.width = width * ratio; canvas.height = height * ratio;
	pen.setTransform(ratio, 0, 0, ratio, 0, 0);
	const dark = matchMedia("(prefers-color-scheme: dark)").matches;
	const style = getComputedStyle(document.body);
	const ink = style.getPropertyValue("--ink"), quiet = style.getPropertyValue("--quiet"), sheet = style.getPropertyValue("--ground");
	const focus = hovered || chosen;
	const lit = focus ? new Set([focus, ...focus.neighbours]) : null;
	const place = (node) => [node.x * view.scale + view.x, node.y * view.scale + view.y];
	for (const { from, to, weight } of edges) {
		if (isHidden(from) || isHidden(to)) continue;
		const bright = lit && (from === focus || to === focus);
		pen.globalAlpha = bright ? 0.75 : lit ? 0.03 : 0.05 + 0.1 * weight;
		pen.lineWidth = bright ? 0.6 + 1.8 * weight : 0.7;
		const cause = from.kind === "cause" ? from : to;
		pen.strokeStyle = color(cause.entry.category ?? "", dark);
		pen.beginPath(); pen.moveTo(...place(from)); pen.lineTo(...place(to)); pen.stroke();
	}
	const grow = Math.max(0.7, Math.min(2, Math.sqrt(view.scale)));
	for (const node of nodes.values()) {
		if (isHidden(node)) continue;
		pen.globalAlpha = lit && !lit.has(node) ? 0.15 : 1;
		pen.fillStyle = node.kind === "cause" ? color(node.entry.category, dark) : node.kind === "ticket" ? quiet : dark ? "#aab4c0" : "#7b8794";
		pen.beginPath(); pen.arc(...place(node), node.radius * grow, 0, 7); pen.fill();
		if (node === chosen) { pen.lineWidth = 2; pen.strokeStyle = ink; pen.stroke(); }
	}
	label(lit, focus, place, grow, ink, sheet);
}
// Names: those of what is lit, else of causes, where there is room for them.
function label(lit, focus, place, grow, ink, sheet) {
	const taken = [];
	const wanted = [...nodes.values()].filter((node) => !isHidden(node) && node.kind !== "ticket" && (lit ? lit.has(node) : node.kind === "cause" || view.scale > 2.2));
	wanted.sort((a, b) => (b === focus) - (a === focus) || (a.kind > b.kind) - (a.kind < b.kind) || b.neighbours.size - a.neighbours.size);
	for (const node of wanted) {
		const [x, y] = place(node);
		pen.font = `${node === focus ? "600 13px" : node.kind === "cause" ? "12px" : "11px"} system-ui, "PingFang SC", "Noto Sans CJK SC", sans-serif`;
		const name = nameOf(node), text = !lit && name.length > 34 ? `${name.slice(0, 33)}…` : name;
		const width = pen.measureText(text).width;
		const box = [x - width / 2 - 3, y - node.radius * grow - 18, width + 6, 15];
		if (taken.some(([a, b, w, h]) => box[0] < a + w && a < box[0] + box[2] && box[1] < b + h && b < box[1] + box[3])) continue;
		taken.push(box);
		pen.globalAlpha = 0.75; pen.fillStyle = sheet; pen.fillRect(...box);
		pen.globalAlpha = 1; pen.fillStyle = ink; pen.fillText(text, box[0] + 3, box[1] + 12);
	}
}

// Lists and details ---------------------------------------------------------------------------------------------------
function el(tag, attributes = {}, ...children) {
	const made = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (name === "onclick") made.addEventListener("click", value);
		else if (name === "share") made.style.setProperty("--share", value);
		else if (name === "dot") made.style.background = value;
		else made.setAttribute(name, value);
	}
	made.append(...children.filter((child) => child !== null && child !== undefined));
	return made;
}
const dot = (category) => el("span", { class: "dot", dot: color(category, matchMedia("(prefers-color-scheme: dark)").matches) });
const go = (id) => el("button", { type: "button", onclick: () => choose(nodes.get(id)) }, told(nodes.get(id).entry.name));
const often = (link, all) => el("span", { class: "often", title: all ? say("of")(link.tickets, all) : "" },
	el("i", { share: `${100 * SHARE[link.strength]}%` }), `${say(link.strength)}${link.tickets ? ` · ${link.tickets}/${all}` : ""}`);
const byStrength = (a, b) => ORDER.indexOf(a.strength) - ORDER.indexOf(b.strength) || b.tickets - a.tickets || (a.to < b.to ? -1 : 1);
function causeDetail({ entry }) {
	const tickets = ticketsOf.get(entry.id);
	const links = [...entry.links].sort(byStrength).map((link) => el("li", {}, often(link, tickets.length), go(link.to), el("p", {}, told(link.why))));
	const near = entry.near.map((other) => el("li", {}, go(other.id), el("p", {}, other.told ? say("apart")(told(nodes.get(other.told).entry.name)) : say("nothing"))));
	const past = tickets.map((ticket) => el("li", {}, el("span", { class: "id" }, ticket.id), el("p", {}, ticket.text)));
	return [el("span", { class: "id" }, dot(entry.category), `${entry.id} · ${entry.category}`), el("h2", {}, told(entry.name)), el("p", { class: "text" }, told(entry.text)),
		...section("links", links), ...section("near", near), ...section("past", past)];
}
function phenomenonDetail({ entry, causes }) {
	const sorted = [...causes].sort((a, b) => ORDER.indexOf(a.link.strength) - ORDER.indexOf(b.link.strength) || (a.cause.id < b.cause.id ? -1 : 1));
	const rows = sorted.map(({ cause, link }) => el("li", {}, often(link, ticketsOf.get(cause.id).length), dot(cause.category), go(cause.id), el("p", {}, told(link.why))));
	return [el("span", { class: "id" }, entry.id), el("h2", {}, told(entry.name)), el("p", { class: "text" }, told(entry.text)),
		el("h3", {}, say("how")), el("pre", {}, told(entry.how)), el("h3", {}, say("when")), el("p", { class: "text" }, told(entry.when)), ...section("causes", rows)];
}
function ticketDetail({ entry }) {
	const rows = entry.seen.map((id) => el("li", {}, go(id)));
	return [el("span", { class: "id" }, entry.id), el("h2", {}, entry.text), el("ul", { class: "links" }, el("li", {}, go(entry.cause))), ...section("links", rows)];
}
const section = (title, rows) => (rows.length ? [el("h3", {}, say(title)), el("ul", { class: "links" }, ...rows)] : []);
const DETAILS = { cause: causeDetail, phenomenon: phenomenonDetail, ticket: ticketDetail };
function choose(node) {
	chosen = node;
	$("detail").replaceChildren(...(node ? DETAILS[node.kind](node) : [el("h2", {}, "dbdiag"), el("p", { class: "text" }, say("welcome")), el("p", { class: "id" }, data.snapshot)]));
	$("detail").scrollTop = 0;
	for (const item of $("entries").children) item.setAttribute("aria-selected", String(Boolean(node) && item.dataset.id === node.entry.id));
	$("entries").querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
	draw();
}
const searched = (node) => [node.entry.id, nameOf(node), node.entry.name?.zh, node.entry.name?.en, node.entry.category, node.kind === "ticket" ? node.entry.text : ""].join("\n").toLowerCase();
function list() {
	const words = $("search").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
	const fits = (node) => words.every((word) => searched(node).includes(word));
	const shown = [...nodes.values()].filter((node) => (words.length ? fits(node) : node.kind === "cause") && !(node.kind === "cause" && hidden.has(node.entry.category)));
	const rank = { cause: 0, phenomenon: 1, ticket: 2 };
	shown.sort((a, b) => rank[a.kind] - rank[b.kind] || (a.entry.category ?? "").localeCompare(b.entry.category ?? "") || (a.entry.id < b.entry.id ? -1 : 1));
	const rows = shown.slice(0, 400).map((node) => {
		const row = el("li", { role: "option", "data-id": node.entry.id, "aria-selected": String(node === chosen), onclick: () => choose(node) },
			node.kind === "cause" ? dot(node.entry.category) : null, el("span", {}, nameOf(node)), el("small", {}, node.kind === "ticket" ? "" : node.entry.id));
		return row;
	});
	$("entries").replaceChildren(...(rows.length ? rows : [el("li", {}, say("none"))]));
}
function speak() {
	document.documentElement.lang = language;
	$("language").textContent = say("other");
	$("search").placeholder = say("search"); $("search").setAttribute("aria-label", say("search"));
	$("hint").textContent = say("hint"); $("canvas").setAttribute("aria-label", say("welcome"));
	$("with-tickets").querySelector("span").textContent = say("tickets");
	$("counts").textContent = say("counts")(data.causes.length, data.phenomena.length, linkCount, data.tickets.length);
	list(); choose(chosen);
}
$("categories").append(...categories.map((category) => el("button", {
	type: "button", "aria-pressed": "true", onclick: (event) => {
		const button = event.currentTarget, off = !hidden.delete(category);
		if (off) hidden.add(category);
		button.setAttribute("aria-pressed", String(!off)); list(); draw();
	} }, dot(category), category)));

// Hands ---------------------------------------------------------------------------------------------------------------
function under(event) {
	const { left, top } = canvas.getBoundingClientRect();
	const [x, y] = [(event.clientX - left - view.x) / view.scale, (event.clientY - top - view.y) / view.scale];
	let nearest = null, best = 14 / view.scale;
	for (const node of nodes.values()) {
		const distance = Math.hypot(node.x - x, node.y - y) - node.radius;
		if (!isHidden(node) && distance < best) { nearest = node; best = distance; }
	}
	return nearest;
}
function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
	const scale = Math.max(0.1, Math.min(8, view.scale * factor));
	view.x = x - ((x - view.x) * scale) / view.scale; view.y = y - ((y - view.y) * scale) / view.scale;
	view.scale = scale; draw();
}
let held = null;
canvas.addEventListener("pointerdown", (event) => { held = { x: event.clientX, y: event.clientY, moved: false }; canvas.setPointerCapture(event.pointerId); });
canvas.addEventListener("pointermove", (event) => {
	if (!held) { const node = under(event); if (node !== hovered) { hovered = node; canvas.style.cursor = node ? "pointer" : "grab"; draw(); } return; }
	const [x, y] = [event.clientX - held.x, event.clientY - held.y];
	held.moved ||= Math.hypot(x, y) > 4;
	if (held.moved) { view.x += x; view.y += y; held.x = event.clientX; held.y = event.clientY; hovered = null; draw(); }
});
canvas.addEventListener("pointerup", (event) => { if (held && !held.moved) choose(under(event)); held = null; });
canvas.addEventListener("pointerleave", () => { hovered = null; draw(); });
canvas.addEventListener("wheel", (event) => {
	event.preventDefault();
	const { left, top } = canvas.getBoundingClientRect();
	zoom(Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top);
}, { passive: false });
canvas.addEventListener("keydown", (event) => {
	const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
	if (moves[event.key]) { view.x += moves[event.key][0]; view.y += moves[event.key][1]; draw(); event.preventDefault(); }
	if (event.key === "+" || event.key === "=") zoom(1.25);
	if (event.key === "-") zoom(0.8);
});
$("entries").addEventListener("keydown", (event) => {
	if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
	event.preventDefault();
	const rows = [...$("entries").children].filter((row) => row.dataset.id);
	const at = rows.findIndex((row) => row.getAttribute("aria-selected") === "true") + (event.key === "ArrowDown" ? 1 : -1);
	if (rows.length) choose(nodes.get(rows[Math.max(0, Math.min(rows.length - 1, at))].dataset.id));
});
document.addEventListener("keydown", (event) => {
	if (event.key === "/" && document.activeElement !== $("search")) { event.preventDefault(); $("search").focus(); }
	if (event.key === "Escape") { $("search").value = ""; list(); choose(null); }
});
$("search").addEventListener("input", list);
$("search").addEventListener("keydown", (event) => {
	const first = $("entries").querySelector("[data-id]");
	if (event.key === "Enter" && first) { choose(nodes.get(first.dataset.id)); $("entries").focus(); }
});
$("tickets").addEventListener("change", draw);
$("language").addEventListener("click", () => { language = language === "zh" ? "en" : "zh"; speak(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { speak(); });
new ResizeObserver(() => draw()).observe(canvas);
layOut(); fit(); speak();
