// Answers to questions about data, each with its chart, then the table and the SQL, folded. Loaded with the first one.

import texts from "./texts.json" with { type: "json" };

const style = document.createElement("link");
style.rel = "stylesheet";
style.href = new URL("figures.css", import.meta.url);
document.head.append(style);

export function draw(node, figures, language, { el, button, command, send }) {
	const cells = (row, tag) => el("tr", {}, row.map((cell) => el(tag, {}, cell)));
	const folded = (key, ...content) => el("details", {}, el("summary", {}, texts[language][key]), content);
	for (const paragraph of document.querySelectorAll("#log p")) {
		const rows = paragraph.innerText.split("\n").map((line) => line.split("|").slice(1, -1));
		if (rows.length > 2 && rows.every((row) => row.length)) {
			paragraph.replaceWith(el("div", { class: "figure" }, el("table", {}, cells(rows[0], "th"), rows.slice(2).map((row) => cells(row, "td")))));
		}
	}
	node.append(...figures.map((figure) => {
		const rows = figure.rows.map((row) => cells(row, "td"));
		const table = rows.length > 1 && el("table", {}, cells(figure.columns, "th"), rows);
		const chart = figure.chart && new DOMParser().parseFromString(figure.chart, "image/svg+xml").documentElement;
		const options = figure.options.map((option) => button(option, () => send(option)));
		return el("div", { class: "figure" }, chart && document.importNode(chart, true), table && folded("rows", table),
			figure.sql && folded("sql", command(figure.sql)), options.length && el("div", { class: "options" }, options));
	}));
}
