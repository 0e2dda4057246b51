// Asks for the gateway's token; loaded only if one is required. It is kept for this tab only.

import texts from "./texts.json" with { type: "json" };

const KEY = "dbdiag.token";
let open = null;

// Resolves once the refused token is replaced. Requests that are refused together ask once.
export async function ask(refused, language) {
	if (refused === sessionStorage.getItem(KEY)) await (open ??= entered(refused, language).finally(() => (open = null)));
}

function entered(refused, language) {
	const t = (name) => texts[name][texts.languages.indexOf(language)];
	const made = (tag, more) => Object.assign(document.createElement(tag), more);
	const field = made("input", { id: "token", type: "password", required: true, pattern: "\\s*[!-~]+\\s*", autocomplete: "off", ariaLabel: t("label") });
	const form = made("form", { method: "dialog" });
	form.append(made("p", { textContent: t(refused ? "wrong" : "ask") }), field, " ", made("button", { textContent: t("done") }));
	const dialog = made("dialog", { className: "card", ariaLabel: t("label") });
	dialog.append(form);
	document.body.append(dialog);
	return new Promise((resolve) => {
		// Nothing works without a token: Escape keeps the dialog open.
		dialog.addEventListener("cancel", (event) => event.preventDefault());
		form.addEventListener("submit", () => {
			sessionStorage.setItem(KEY, field.value.trim());
			dialog.remove();
			resolve();
		});
		dialog.showModal();
	});
}
