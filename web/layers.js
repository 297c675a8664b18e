/**
 * What lies over the page, as windows, drawers and fold-outs: where there are fingers, the back button closes it before it leads anywhere.
 *
 * Each layer has an entry of its own in the browser's history, above the one of the place that is shown: Back leaves the uppermost,
 * and what is closed in another way takes its entry along. The browser takes entries off in its own time. Whoever goes on to another place
 * before that gets the entry that is about to go.
 */

/** How each layer is closed, the uppermost last. @type {Array<() => void>} */
const layers = [];
/** How many entries of layers lie below the one that the browser is at, that one included. */
let depth = 0;
/** The address of the place below them. */
let address = "";
let heeded = false;
/** Why this page goes back by itself: to take entries off that are no longer needed, or from one of a layer that was closed long ago. @type {"off"|"astray"|null} */
let receding = null;
/** The address of another place to which somebody has gone on meanwhile. @type {string|null} */
let ahead = null;

/** Heed the back button from now on, where nobody has an Escape key at hand. Listeners that are added before this one hear of layers, too. */
export function heedBack() {
  heeded = matchMedia("(pointer: coarse)").matches;
  depth = depthOf(history.state); // of a page that was loaded anew
  address = location.href;
  settle();
  addEventListener("popstate", onMove);
}

/**
 * Something lies over the page from now on.
 *
 * @param {() => void} close
 * @returns {() => void} to be called when it does no longer; more than once does no harm.
 */
export function layOver(close) {
  layers.push(close);
  deepen();
  return () => {
    const place = layers.indexOf(close);
    if (place >= 0) {
      layers.splice(place, 1);
      setTimeout(settle); // whoever follows a link closes first
    }
  };
}

/**
 * Open one of the browser's own windows as a layer.
 *
 * @param {HTMLDialogElement} dialog
 */
export function showOver(dialog) {
  dialog.showModal();
  dialog.addEventListener("close", layOver(() => dialog.close()), { once: true });
}

/** Close all that lies over the page: what was below is shown no longer. */
export function closeLayers() {
  closeDownTo(0);
  settle();
}

/**
 * Write another address of this page into the address bar.
 *
 * @param {string} href
 * @param {{replace?: boolean}} options `replace`: Back does not come back to the present one.
 */
export function writeAddress(href, { replace = false } = {}) {
  if (replace || receding !== null) {
    history.replaceState(history.state, "", href);
  } else if (depth > 0) {
    history.replaceState(null, "", href);
    depth = 0;
    deepen();
  } else {
    history.pushState(null, "", href);
  }
  if (receding !== null && (!replace || ahead !== null)) {
    ahead = location.href;
  } else {
    address = location.href;
  }
}

function depthOf(state) {
  return state?.layers ?? 0;
}

/** Give each layer its entry. */
function deepen() {
  if (!heeded || receding !== null) {
    return;
  }
  if (depth === 0 && layers.length > 0) {
    address = location.href;
    history.replaceState({ layers: 0 }, "");
  }
  while (depth < layers.length) {
    depth += 1;
    history.pushState({ layers: depth }, "");
  }
}

/** Take off the entries that no layer has any more. */
function settle() {
  if (heeded && receding === null && depth > layers.length) {
    receding = "off";
    history.go(layers.length - depth);
  }
}

function onMove(event) {
  const [from, why] = [depth, receding];
  depth = depthOf(history.state);
  if (!event.isTrusted) {
    return; // a link of the page
  }
  receding = null;
  if (depth > layers.length && depth > from) {
    event.stopImmediatePropagation();
    receding = "astray";
    history.go(layers.length - depth);
  } else if (depth < from && event.state !== null && why !== "astray") {
    event.stopImmediatePropagation();
    why === null && closeDownTo(depth);
    history.replaceState(event.state, "", address); // which may have changed below the layer
    if (ahead !== null) {
      history.pushState(null, "", ahead);
      depth = 0;
      ahead = null;
    }
    deepen();
  } else {
    closeDownTo(0);
  }
}

function closeDownTo(height) {
  layers.splice(height).reverse().forEach((close) => close());
}
