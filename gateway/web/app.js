// Conversation and findings. Text is only set as text.

import { call } from "./access.js";
import texts from "./texts.json" with { type: "json" };

const $ = (id) => document.getElementById(id);
const log = $("log"), box = $("message");
let explicit = localStorage.getItem("dbdiag.language");
let language = explicit || (navigator.language.startsWith("zh") ? "zh" : "en");
let session = "", details, waiting, turn;
const t = (key, values) => fill(texts[key]?.[texts.languages.indexOf(language)], values);
const fill = (text, values) => (values ? text.replace(/{(\w+)}/g, (_, name) => values[name]) : text);
const sessionPath = (id) => `/sessions/${encodeURIComponent(id)}`;
const percent = (share) => (share > 0 && share < 0.01 ? "<1%" : share < 1 && share > 0.99 ? ">99%" : `${Math.round(share * 100)}%`);
const list = (value) => value ?? [];
const faint = { class: "faint" };
const each = (css, act) => document.querySelectorAll(css).forEach(act);
const remove = (css) => each(css, (node) => node.remove());

function el(tag, attributes = {}, ...children) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (name === "onclick") node.addEventListener("click", value);
		else if (value) node.setAttribute(name, value);
	}
	node.append(...children.flat().filter(Boolean));
	return node;
}

const button = (text, onclick, more) => el("button", { class: "quiet", onclick, ...more }, text);

function command(text) {
	const take = button(t("copy"), async () => {
		await copy(text);
		take.textContent = "✓";
		setTimeout(() => (take.textContent = t("copy")), 1500);
	});
	return el("div", { class: "command" }, el("pre", { tabindex: "0" }, text), take);
}

async function copy(text) {
	// Without TLS there is no navigator.clipboard.
	if (navigator.clipboard) return navigator.clipboard.writeText(text);
	const field = el("textarea", {}, text);
	document.body.append(field);
	field.select();
	document.execCommand("copy");
	field.remove();
}

function inline(text) {
	const parts = text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*|\*[^*\s][^*\n]*\*)/);
	return parts.map((part, index) => {
		if (index % 2 === 0) return part;
		if (part[0] === "`") return el("code", {}, part.slice(1, -1));
		return part.startsWith("**") ? el("strong", {}, ...inline(part.slice(2, -2))) : el("em", {}, part.slice(1, -1));
	});
}

function markdown(text) {
	const out = document.createDocumentFragment();
	const lines = text.split("\n");
	let open, paragraph;
	for (let at = 0; at < lines.length; at++) {
		const line = lines[at];
		const block = line.match(/^\s*(>|#{1,6} ) ?(.*)$/);
		const item = line.match(/^\s*(?:[-*]|(\d+)[.)、])\s+(.*)$/);
		if (/^\s*```/.test(line)) {
			const from = ++at;
			while (at < lines.length && !/^\s*```\s*$/.test(lines[at])) at++;
			(open?.lastChild || out).append(command(lines.slice(from, at).join("\n").replace(/^ {3}/gm, "")));
			paragraph = null;
		} else if (!line.trim()) {
			paragraph = null;
		} else if (item) {
			const tag = item[1] ? "ol" : "ul";
			if (open?.localName !== tag) out.append((open = el(tag, { start: item[1] })));
			open.append((paragraph = el("li", { value: item[1] }, ...inline(item[2]))));
		} else if (block) {
			out.append(el(block[1] === ">" ? "blockquote" : "h3", {}, ...inline(block[2])));
			open = paragraph = null;
		} else if (paragraph && (!open || /^\s/.test(line))) {
			paragraph.append(el("br"), ...inline(line.trim()));
		} else {
			if (!/^\s/.test(line)) open = null;
			paragraph = el("p", {}, ...inline(line.trim()));
			(open?.lastChild || out).append(paragraph);
		}
	}
	return out;
}

async function* events(response) {
	const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
	let rest = "";
	for (;;) {
		const { value, done } = await reader.read();
		rest += value || "";
		const blocks = rest.split("\n\n");
		rest = blocks.pop();
		for (const block of blocks) {
			const [, name, data] = block.match(/^event: (.+)\ndata: (.+)$/m) ?? [];
			if (data) yield { name, data: JSON.parse(data) };
		}
		if (done) return;
	}
}

async function send(text, requestId = crypto.getRandomValues(new Uint32Array(4)).join("-")) {
	if (!text.trim() || waiting) return;
	if (session && /^\/close\s/.test(text)) return closeCase(text.slice(7).trim());
	followLanguage(text);
	remove(".hello, .options, .problem");
	if (requestId !== log.lastElementChild?.dataset.request) log.append(el("div", { class: "user", "data-request": requestId }, text));
	const bubble = el("div", { class: "assistant" }, el("span", { class: "doing" }, t("doing")));
	tell(bubble);
	busy(new AbortController());
	try {
		await answer(text, requestId, bubble);
	} catch (error) {
		bubble.remove();
		if (error.name === "AbortError") {
			turn = null;
			note(t("stopped"));
		} else if (error.turn) {
			// The session has moved on elsewhere: show that first.
			await open(session);
			box.value = text;
			note(error.detail);
		} else problem(error.detail || t("offline"), () => send(text, requestId));
	} finally {
		busy(null);
	}
}

// A cause by its id and what helped, or a new cause in words
async function closeCase(words) {
	const [, root_cause_id, rest] = words.match(/^(RC-\d+)?\s*([^]*)$/);
	const cause = root_cause_id ? { root_cause_id, solution: rest || undefined } : { root_cause: rest };
	const response = await call(`${sessionPath(session)}/close`, language, { ...cause, language }).catch(() => null);
	const told = await response?.json().catch(() => null);
	if (!response?.ok) return problem(told?.detail || t("offline"), () => closeCase(words));
	remove(".problem");
	note(t("closed", { cause: told.proposal.root_cause_id, proposal: told.proposal.proposal_id }));
}

function fail(problem) {
	throw Object.assign(new Error(), problem);
}

async function answer(text, requestId, bubble) {
	const body = { message: text, request_id: requestId, session_id: session || undefined, turn, language: explicit ? language : undefined };
	const response = await call("/chat/stream", language, body, waiting.signal);
	if (!response.ok) fail(await response.json().catch(() => {}));
	let said = "", final;
	for await (const { name, data } of events(response)) {
		if (name === "progress") doing(bubble, data.step, data.note);
		else if (name === "chunk") speak(bubble, (said += data.text));
		else if (name === "error") fail(data);
		else if (name === "final") final = data;
	}
	if (!final) fail();
	speak(bubble, final.message);
	session = final.session_id;
	turn = final.turn;
	history.replaceState(null, "", `#${encodeURIComponent(session)}`);
	figures(bubble, final.details.data);
	show(final.details);
}

function doing(bubble, step, note) {
	const key = ["match", "diagnose", "respond", "collect"].find((word) => step.includes(word)) || "doing";
	const mark = bubble.querySelector(".doing");
	if (mark) mark.textContent = [t(key), note].filter(Boolean).join(" · ");
}

function speak(bubble, text) {
	bubble.replaceChildren(markdown(text));
	bubble.scrollIntoView({ block: "nearest" });
}

function busy(controller) {
	waiting = controller;
	log.setAttribute("aria-busy", !!controller);
	$("send").textContent = t(controller ? "stop" : "send");
	each(".answers button, .options button", (node) => (node.disabled = !!controller));
	if (!controller && matchMedia("(hover: hover)").matches) box.focus({ preventScroll: true });
}

function tell(node) {
	log.append(node);
	node.scrollIntoView({ block: "nearest" });
}

const figures = async (node, data) => (data?.length || log.textContent.includes("| -")) && (await import("./figures/draw.js")).draw(node, list(data), language, { el, button, command, send });
const note = (text) => tell(el("p", faint, text));
const problem = (text, again) => tell(el("div", { class: "problem", role: "alert" }, text, " ", button(t("retry"), again)));

function show(next) {
	// A turn without an evaluation keeps the earlier findings.
	const kept = details && next.other_confidence === null && next.hypotheses.length > 0;
	const { hypotheses, diagnosis, contradiction, other_confidence } = details ?? {};
	const known = new Map(details?.recommendations.map((check) => [check.phenomenon_id, check]));
	const recommendations = next.recommendations.map((check) => ({ ...check, reason: check.reason || known.get(check.phenomenon_id)?.reason }));
	details = kept ? { ...next, hypotheses, diagnosis, contradiction, other_confidence, recommendations } : next;
	draw();
}

function draw() {
	const causes = list(details?.hypotheses), checks = list(details?.recommendations), found = details?.diagnosis;
	box.placeholder = t(details ? "answerHint" : "messageHint");
	const status = found ? "concluded" : details?.status;
	$("status").textContent = t(status) ?? "";
	$("causes").hidden = !causes.length;
	$("checks").hidden = !checks.length;
	$("nothing").hidden = !!(causes.length || checks.length);
	const other = details?.other_confidence;
	const rest = other >= 0.005 && el("li", { class: "cause faint" }, el("div", {}, el("span", {}, t("other")), el("b", {}, percent(other))));
	$("cause-list").replaceChildren(...causes.map(drawCause), rest || "");
	$("check-list").replaceChildren(...checks.map(drawCheck));
	$("conclusion").replaceChildren(...found ? drawConclusion(found) : []);
	const pair = list(details?.contradiction).map((answer) => answer.description);
	$("pair").replaceChildren(...pair.length ? [heading("pair"), joined(pair)] : []);
	drawOptions(details ?? {});
}

function drawCause(cause) {
	const was = cause.confidence_before;
	const bar = el("div", { class: "bar", "aria-hidden": "true" });
	const strip = (kind, from, to) => {
		const part = el("i", { class: kind });
		Object.assign(part.style, { left: `${from * 100}%`, width: `${(to - from) * 100}%` });
		bar.append(part);
	};
	const now = cause.confidence;
	if (was > now) strip("before", 0, was);
	strip("now", 0, now);
	if (was && was <= now) strip("before over", 0, was);
	const moved = was === null || percent(was) === percent(now) ? "" : el("span", faint, `${percent(was)} → `);
	const reasons = list(cause.contributions).filter((reason) => Math.abs(reason.bits) >= 0.05);
	return el("li", { class: "cause", "data-cause": cause.root_cause_id },
		el("div", {}, el("span", {}, cause.description), el("b", {}, moved, percent(now))), bar,
		reasons.length && el("details", {}, el("summary", {}, t("why")), el("ul", { class: "bits" }, reasons.map(drawReason))));
}

function drawReason(reason) {
	const sign = reason.bits < 0 ? "−" : "+";
	const bits = el("b", { class: reason.bits < 0 && "against" }, `${sign}${Math.abs(reason.bits).toFixed(1)} bit`);
	return el("li", {}, bits, ` ${reason.description} (${t(reason.verdict === "denied" ? "no" : "yes").toLowerCase()})`);
}

function drawCheck(check) {
	const { ordinal, description: name, observation_method: method } = check;
	// While options are open, a bare number picks an option; an id picks the check.
	const target = details.clarification ? check.phenomenon_id : ordinal;
	const answer = (key) => button(t(key), () => send(t("answer", { target, answer: t(key).toLowerCase() })), { "data-answer": key, "aria-label": `${t(key)}: ${name}` });
	return el("li", { class: "check", "data-check": check.phenomenon_id }, el("strong", {}, `${ordinal}. `, name),
		!method ? "" : check.observe_kind === "manual" ? el("p", {}, method) : command(method),
		check.present_when && el("p", faint, t("counts", { what: check.present_when })),
		check.reason && el("p", faint, check.reason),
		el("div", { class: "answers" }, ["yes", "no", "unknown"].map(answer)));
}

const labelled = (key, text) => t(key) + t("colon") + text;
const heading = (key) => el("strong", {}, labelled(key, ""));
const joined = (names) => names.join(t("separator"));

function drawConclusion(found) {
	const second = found.second_cause;
	const note = (item) => (key) => item[key] && item[key] !== "none" && el("div", faint, labelled(key, t(item[key]) ?? item[key]));
	const steps = (key, tag, ...notes) => list(found[key]).length ? [el("h3", {}, t(key)), el(tag, {}, found[key].map((item) =>
		el("li", {}, item.action, item.how && command(item.how), ...notes.map(note(item)))))] : [];
	const tickets = list(found.reference_tickets).map((ticket) => el("li", {}, `${ticket.ticket_id} ${ticket.description}`));
	return [
		el("span", faint, `${t("certain")} · ${percent(found.confidence)}`), el("h3", {}, found.description),
		found.mechanism && el("p", {}, found.mechanism),
		...["observed", "conflicting", "unchecked", "unexplained"].map((key) => found[`${key}_phenomena`]?.[0] &&
			el("p", {}, heading(key), joined(found[`${key}_phenomena`]))),
		second && el("p", { class: "against" }, heading("second"), `${second.description} · ${percent(second.confidence)}`),
		...steps("relief", "ul", "costs", "not_when"), ...steps("solution", "ol", "risk", "undo"),
		found.verify && el("p", {}, heading("verify"), found.verify),
		button(t("close"), () => closeCase(found.root_cause_id)),
		tickets.length && el("details", {}, el("summary", {}, t("tickets")), el("ul", {}, tickets)),
	].filter(Boolean);
}

function drawOptions({ clarification, look_offer }) {
	remove(".options");
	const options = list(clarification?.options).map(({ ordinal, description }) => button(`${ordinal}. ${description}`, () => send(`${ordinal}`)));
	const offer = list(look_offer && ["look", "noLook"]).map((key) => button(t(key), () => send(t(key)), { "data-offer": key }));
	if (options.length) log.append(el("div", { class: "options" }, options));
	if (offer.length) log.append(el("div", { class: "options offer" }, offer));
}

async function open(id) {
	waiting?.abort();
	session = id;
	details = turn = null;
	log.replaceChildren();
	const response = id && await call(sessionPath(id), language).catch(() => null);
	if (response?.ok) {
		const seen = await response.json();
		for (const { speaker, text } of seen.dialogue) {
			log.append(el("div", { class: speaker }, speaker === "user" ? text : markdown(text)));
		}
		details = seen.last?.details;
		figures(log.lastElementChild, details?.data);
		turn = seen.turn;
		log.lastElementChild?.scrollIntoView();
	} else if (response?.status === 404) {
		session = "";
		history.replaceState(null, "", location.pathname);
		greet();
		note(t("gone"));
	} else if (id) problem(t("offline"), () => open(id));
	if (!log.childElementCount) greet();
	draw();
}

function greet() {
	const examples = t("examples").map((text) => button(text, () => send(text)));
	log.replaceChildren(el("div", { class: "assistant hello" }, el("p", {}, t("hello")), el("div", { class: "answers" }, examples)));
}

function speakIn(wanted) {
	language = wanted;
	document.documentElement.lang = wanted;
	each("[data-t]", (node) => (node.textContent = t(node.dataset.t)));
	each("[data-label]", (node) => node.setAttribute("aria-label", t(node.dataset.label)));
	$("language").textContent = t("otherLanguage");
	if (log.querySelector(".hello")) greet();
	draw();
}

function followLanguage(text) {
	const written = /[\u4e00-\u9fff]/.test(text) ? "zh" : /[a-z]{3}.*\s.*[a-z]{3}/i.test(text) ? "en" : language;
	if (!explicit && written !== language) speakIn(written);
}

$("composer").addEventListener("submit", (event) => {
	event.preventDefault();
	if (waiting) return waiting.abort();
	const text = box.value.trim();
	box.value = "";
	send(text);
});
box.addEventListener("keydown", (event) => {
	// While composing, Enter picks a candidate of the input method.
	if (event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229) {
		event.preventDefault();
		if (!waiting) $("composer").requestSubmit();
	}
});
addEventListener("keydown", (event) => event.key === "Escape" && waiting?.abort());
$("language").addEventListener("click", () => {
	explicit = true;
	speakIn(language === "zh" ? "en" : "zh");
	localStorage.setItem("dbdiag.language", language);
});
$("fresh").addEventListener("click", () => {
	history.pushState(null, "", location.pathname);
	open("");
	box.focus();
});
const named = () => decodeURIComponent(location.hash.slice(1));
addEventListener("popstate", () => named() !== session && open(named()));

speakIn(language);
open(named());
