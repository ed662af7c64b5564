/* The server's side. The token came with the page's address and goes back in a header that no other site can set. */
const token = new URLSearchParams(location.search).get('token') || '';

async function ask(method, path, body) {
  const headers = { Authorization: 'Bearer ' + token };
  if (body) headers['Content-Type'] = 'application/json';
  try {
    const r = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
    const o = await r.json();
    return r.ok ? o : { error: o.error || { message: r.statusText }, status: r.status };
  } catch (e) {
    return { error: { code: 'network', message: 'the server does not answer: is regraph-graph serve still running?' }, status: 0 };
  }
}

export const get = (path) => ask('GET', path);
export const post = (path, body) => ask('POST', path, body);
