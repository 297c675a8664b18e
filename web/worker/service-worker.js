/**
 * The page's service worker. A document that this browser has had before stands at once, and is asked for anew beside
 * it; so a page that was here before waits for nothing but its data.
 *
 * It answers visits of the page's own documents and nothing else: no file, no answer of the API and no frame passes it.
 * Decision 108 tells why it is as it is, and how a release takes it back.
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** How the names of the caches begin. Each release has one, named after the place of its files, which goes as a whole. */
const DOCUMENTS = "parlour.documents";
/** How many documents are kept, in about 20 kB each. */
const MOST = 50;
/** How long a page may take to say that it has heard. One whose files have gone never does. */
const HEARING_MS = 3000;

const RELEASE = /<meta name="files" content="([^"]*)"/;
const TABLE = /^\/watch\/[\w-]+$/;
/** How requests use caches when somebody loads a page anew. */
const ANEW = new Set(["no-cache", "reload", "no-store"]);

/**
 * Under what the document of an address is kept: what the service makes it of, without the rest of the query.
 *
 * The reader's language is not in it. A page in another one asks for its words itself, until its document is renewed.
 *
 * @param {string} address
 * @returns {string|null} null for whatever is not a document of the page, or may stand in a frame.
 */
function keyOf(address) {
  const { origin, pathname, searchParams } = new URL(address);
  if (origin !== location.origin) {
    return null;
  }
  if (pathname === "/") {
    const page = searchParams.get("page");
    return page === null ? "/" : `/?page=${encodeURIComponent(page)}`;
  }
  return TABLE.test(pathname) ? pathname : null;
}

/** The names of the caches of documents. */
async function names() {
  return (await caches.keys()).filter((name) => name.startsWith(DOCUMENTS));
}

/**
 * What is kept under a key.
 *
 * @param {string} key
 * @returns {Promise<{cache: string, document: Response}|null>}
 */
async function keptAt(key) {
  for (const cache of await names()) {
    const document = await caches.match(key, { cacheName: cache, ignoreVary: true });
    if (document) {
      return { cache, document };
    }
  }
  return null;
}

/**
 * Keep an answer, if it is a document; drop what is kept if there is none any more. What is kept of other releases goes.
 *
 * @param {string} key
 * @param {Response} answer is read.
 * @returns {Promise<string|null>} the name of the cache that it is in; null if nothing is kept of the answer.
 */
async function keep(key, answer) {
  const isDocument = answer.status === 200 && !answer.redirected && answer.headers.get("content-type")?.startsWith("text/html");
  const release = isDocument ? RELEASE.exec(await answer.clone().text()) : null;
  if (release === null) {
    if (answer.status === 404 || answer.status === 410) {
      await Promise.all((await names()).map(async (name) => (await caches.open(name)).delete(key)));
    }
    return null;
  }
  const name = `${DOCUMENTS} ${release[1]}`;
  const others = (await names()).filter((other) => other !== name);
  await Promise.all(others.map((other) => caches.delete(other)));
  const cache = await caches.open(name);
  await cache.put(key, answer);
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, -MOST).map((old) => cache.delete(old)));
  return name;
}

async function keepOnce(key) {
  return (await keptAt(key)) ?? keep(key, await fetch(key));
}

/**
 * Answer a visit of a document, by what is kept if there is anything, and keep what the service answers.
 *
 * @param {FetchEvent} event
 * @param {string} key
 */
function visited(event, key) {
  const { request } = event;
  const asked = fetch(request).then((answer) => ({ answer, copy: answer.clone() }));
  // A cache that cannot be read has nothing.
  const found = ANEW.has(request.cache) ? Promise.resolve(null) : keptAt(key).catch(() => null);
  event.respondWith(found.then((kept) => kept?.document ?? asked.then(({ answer }) => answer)));
  event.waitUntil(renew(event.resultingClientId, key, found, asked));
}

async function renew(client, key, found, asked) {
  const unreachable = () => null; // the page will say so
  const [kept, got] = await Promise.all([found, asked.catch(unreachable)]);
  const now = got && (await keep(key, got.copy));
  if (kept && now && now !== kept.cache) {
    await tell(client);
  }
}

/** Tell a page that it is of an earlier release, and load it anew where nobody hears that: its files have gone. */
async function tell(id) {
  const client = await worker.clients.get(id);
  if (!(client instanceof WindowClient)) {
    return;
  }
  const { port1, port2 } = new MessageChannel();
  const heard = new Promise((done) => {
    port1.onmessage = () => done(true);
    setTimeout(done, HEARING_MS, false);
  });
  client.postMessage("another release", [port2]);
  if (!(await heard)) {
    await client.navigate(client.url).catch(() => null); // it may have gone by itself
  }
}

worker.addEventListener("install", (event) => {
  event.waitUntil(worker.skipWaiting());
  // What it leaves alone, a browser that can be told so does not even ask it about.
  const alone = ["/v1/*", "/assets/*"].map((urlPattern) => ({ condition: { urlPattern }, source: "network" }));
  /** @type {any} */ (event).addRoutes?.(alone);
});

worker.addEventListener("fetch", (event) => {
  const { mode, method, destination, url } = event.request;
  const key = mode === "navigate" && method === "GET" && destination === "document" ? keyOf(url) : null;
  if (key !== null) {
    visited(event, key);
  }
});

// A page stands. Its document may never have passed here: the first one does not, nor one that was reached by a link of the page.
worker.addEventListener("message", (event) => {
  const key = keyOf(event.data);
  if (key !== null) {
    event.waitUntil(keepOnce(key).catch(() => null)); // without the service nothing is kept
  }
});
