/** The documents that this browser keeps, so that an address where it was before stands at once (worker/service-worker.js). */

const SCRIPT = "/service-worker.js";
/** How the names of the caches begin. */
const DOCUMENTS = "parlour.documents";
/** By these a reader begins something. */
const TOUCHES = ["pointerdown", "keydown", "wheel"];

/** @type {Promise<ServiceWorkerRegistration>|null} */
let registered = null;
/** That of the script, as the page's policy wants it. @type {any} */
let address = null;

/**
 * From now on hear that the document was kept, and the service has another release: the page is loaded anew, unless
 * its reader has begun something. Then the next visit has the new one.
 */
export function hearOfReleases() {
  let touched = false;
  const touch = () => {
    touched = true;
  };
  TOUCHES.forEach((type) => addEventListener(type, touch, { once: true, capture: true, passive: true }));
  navigator.serviceWorker?.addEventListener("message", ({ ports: [heard] }) => {
    heard.postMessage(null);
    touched || location.reload();
  });
}

/** Let the document of this address be kept. Where there can be no worker, or none comes, every visit asks for it. */
export async function keepDocument() {
  if (!navigator.serviceWorker) {
    return;
  }
  try {
    registered ??= register();
    (await registered).active?.postMessage(location.href);
  } catch {
    registered = null; // the next page tries again
  }
}

/** Forget all documents: what they name is gone. */
export async function forgetDocuments() {
  try {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(DOCUMENTS)).map((name) => caches.delete(name)));
  } catch {
    // A browser that lets nothing be read has kept nothing.
  }
}

async function register() {
  // The page's policy takes the address of a script from nothing but this, which may be made once.
  address ??= /** @type {any} */ (globalThis).trustedTypes?.createPolicy("worker", { createScriptURL: () => SCRIPT }).createScriptURL("") ?? SCRIPT;
  await navigator.serviceWorker.register(address);
  return navigator.serviceWorker.ready;
}
