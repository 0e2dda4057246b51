// Sends every request; on 401, asks for the token and retries.
export async function call(path, language, body, signal) {
	const token = sessionStorage.getItem("dbdiag.token");
	const headers = { ...body && { "content-type": "application/json" }, ...token && { authorization: `Bearer ${token}` } };
	const response = await fetch(path, { headers, signal, ...body && { method: "POST", body: JSON.stringify(body) } });
	if (response.status !== 401) return response;
	await (await import("/static/token/form.js")).ask(token, language);
	return call(path, language, body, signal);
}
