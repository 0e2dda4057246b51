// The HTTP interface as described by /openapi.json. Text is only set as text.

import { call } from "/static/access.js";
import texts from "./texts.json" with { type: "json" };

const METHODS = ["get", "post", "put", "patch", "delete"];

const $ = (id) => document.getElementById(id);
let language = localStorage.getItem("dbdiag.language") || (navigator.language.startsWith("zh") ? "zh" : "en");
let api = null;
const t = (key) => texts[key][texts.languages.indexOf(language)];

function el(tag, attributes, ...children) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
	node.append(...children.flat().filter((child) => child !== undefined && child !== ""));
	return node;
}

// Schemas

const resolved = (schema) => schema?.$ref ? schema.$ref.slice(2).split("/").reduce((at, part) => at[part], api) : schema ?? {};
const nameOf = (schema) => schema.$ref?.split("/").pop();

function typeOf(schema) {
	if (!schema) return "";
	const values = resolved(schema).enum;
	if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
	if (schema.$ref) return nameOf(schema);
	if (schema.anyOf) return schema.anyOf.map(typeOf).join(" | ");
	if (schema.type === "array") return `[${typeOf(schema.items) || "any"}]`;
	return schema.type ?? "any";
}

const LIMITS = { minimum: "≥", maximum: "≤", minLength: "length ≥", maxLength: "length ≤", pattern: "pattern", default: "default" };

function limitsOf(schema) {
	const parts = [schema, ...(schema.anyOf ?? [])];
	return parts.flatMap((part) => Object.entries(LIMITS).filter(([key]) => part[key] != null).map(([key, sign]) => `${sign} ${part[key]}`)).join(", ");
}

function fields(rows) {
	const line = ([name, schema, needed, meaning]) => el("tr", {}, el("td", {}, el("code", {}, name)),
		el("td", {}, typeOf(schema), needed ? el("div", { class: "against" }, t("required")) : ""),
		el("td", {}, meaning ?? "", limitsOf(schema) && el("div", { class: "faint" }, limitsOf(schema))));
	const head = el("tr", {}, ["name", "type", "meaning"].map((key) => el("th", {}, t(key))));
	return el("table", {}, head, rows.map(line));
}

function shape(schema) {
	const known = resolved(schema);
	const rows = Object.entries(known.properties ?? {}).map(([name, field]) => [name, field, known.required?.includes(name), field.description]);
	return [known.description && el("p", {}, known.description), rows.length ? fields(rows) : el("p", { class: "faint" }, typeOf(schema))].filter(Boolean);
}

// Operations

function sample(schema) {
	const known = resolved(schema);
	if (known.examples) return known.examples[language === "zh" ? 0 : known.examples.length - 1];
	if (known.enum) return known.enum[0];
	if (known.anyOf) return sample(known.anyOf[0]);
	if (known.properties) {
		const wanted = Object.entries(known.properties).filter(([name, field]) => known.required?.includes(name) || field.examples);
		return Object.fromEntries(wanted.map(([name, field]) => [name, sample(field)]));
	}
	return { integer: 1, number: 1, boolean: false, array: [] }[known.type] ?? "...";
}

function curl(method, path, body) {
	const parts = [`curl -s${method === "get" ? "" : ` -X ${method.toUpperCase()}`} ${location.origin}${path.replace(/\{(\w+)\}/g, (_, name) => `$${name.toUpperCase()}`)}`];
	// A single quote inside single quotes of a shell.
	if (body) parts.push("-H 'content-type: application/json'", `-d '${JSON.stringify(sample(body)).replaceAll("'", "'\\''")}'`);
	if (sessionStorage.getItem("dbdiag.token")) parts.push('-H "authorization: Bearer $DBDIAG_TOKEN"');
	return parts.join(" \\\n  ");
}

const content = (part) => Object.entries(part?.content ?? {})[0] ?? [];

function operation(path, method, about) {
	const parameters = about.parameters ?? [];
	const [, body] = content(about.requestBody);
	const answers = Object.entries(about.responses ?? {}).map(([status, answer]) => {
		const [kind, found] = content(answer);
		return el("div", {}, el("p", {}, el("code", {}, status), ` ${answer.description} `, el("span", { class: "faint" }, kind ?? "")),
			found?.schema && resolved(found.schema).properties ? shape(found.schema) : "");
	});
	return el("details", { class: "operation", id: `${method}${path}` },
		el("summary", {}, el("b", { class: "method" }, method.toUpperCase()), el("code", {}, path), el("span", { class: "faint" }, about.summary ?? "")),
		el("p", {}, about.description ?? ""),
		parameters.length ? [el("h3", {}, t("parameters")), fields(parameters.map((one) => [one.name, one.schema, one.required, one.description ?? one.in]))] : [],
		body ? [el("h3", {}, t("body")), ...shape(body.schema)] : [],
		el("h3", {}, t("answers")), answers,
		el("h3", {}, t("example")), el("pre", { tabindex: "0" }, curl(method, path, body?.schema)));
}

function draw() {
	document.documentElement.lang = language;
	$("language").textContent = t("otherLanguage");
	$("about").textContent = t("about");
	if (!api) return;
	$("version").textContent = api.info.version;
	const groups = new Map();
	for (const [path, methods] of Object.entries(api.paths)) {
		for (const method of METHODS.filter((name) => methods[name])) {
			const group = methods[method].tags?.[0] ?? "";
			groups.set(group, [...(groups.get(group) ?? []), operation(path, method, methods[method])]);
		}
	}
	$("operations").replaceChildren(...[...groups].map(([name, found]) => el("section", {}, el("h2", {}, name), found)));
}

$("language").addEventListener("click", () => {
	language = language === "zh" ? "en" : "zh";
	localStorage.setItem("dbdiag.language", language);
	draw();
});

draw();
const response = await call("/openapi.json", language).catch(() => null);
if (response?.ok) api = await response.json();
else $("operations").replaceChildren(el("p", { class: "problem", role: "alert" }, t("offline")));
draw();
