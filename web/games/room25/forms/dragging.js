/** Dragging by mouse, pen and finger: a copy of what is dragged follows the pointer, and where it is let go something happens. */

import { s } from "../../../dom.js";

/** Below this way in pixels a press is a press. */
const LEAST = 8;

/**
 * What lets some elements be dragged to others: the listener to `pointerdown` of something that holds both.
 *
 * @param {{what: string, where: string, onDrop: (what: HTMLElement|SVGElement, where: HTMLElement|SVGElement|null) => void}} options selectors,
 *   and what happens at the end; `where` is null where it is let go outside of all of them.
 * @returns {(down: PointerEvent) => void}
 */
export function dragging({ what, where, onDrop }) {
  return (down) => {
    const node = down.target instanceof Element ? down.target.closest(what) : null;
    if ((node instanceof HTMLElement || node instanceof SVGGraphicsElement) && down.button === 0 && down.isPrimary && !node.matches(":disabled")) {
      follow(node, down, { where, onDrop });
    }
  };
}

/** One drag, from the press to the end. */
function follow(node, down, { where, onDrop }) {
  const listening = new AbortController();
  let copy = /** @type {HTMLElement|SVGElement|null} */ (null);
  let over = /** @type {Element|null} */ (null);
  const placeAt = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest(where) ?? null;
  const mark = (place) => {
    over?.classList.remove("drop");
    over = place;
    over?.classList.add("drop");
  };
  const end = () => {
    listening.abort();
    mark(null);
    copy?.remove();
  };
  const move = (event) => {
    if (event.pointerId !== down.pointerId) {
      return;
    }
    const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
    if (copy === null && Math.hypot(x, y) < LEAST) {
      return;
    }
    copy ??= copyOf(node);
    copy.style.setProperty("translate", `${x}px ${y}px`);
    mark(placeAt(event));
  };
  const release = (event) => {
    const dragged = copy !== null && event.pointerId === down.pointerId;
    const place = dragged ? placeAt(event) : null;
    end();
    if (dragged) {
      // What ends a drag is no press of what it began on.
      addEventListener("click", stop, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", stop, { capture: true }));
      onDrop(node, /** @type {HTMLElement|SVGElement|null} */ (place));
    }
  };
  const { signal } = listening;
  addEventListener("pointermove", move, { signal });
  addEventListener("pointerup", release, { signal });
  addEventListener("pointercancel", end, { signal });
  addEventListener("keydown", (event) => event.key === "Escape" && end(), { signal });
}

function stop(event) {
  event.preventDefault();
  event.stopPropagation();
}

/** What follows the pointer: it lies over the page, and nobody meets it. */
function copyOf(node) {
  const { left, top, width, height } = node.getBoundingClientRect();
  const copy = node instanceof SVGGraphicsElement ? framed(node) : /** @type {HTMLElement} */ (node.cloneNode(true));
  copy.removeAttribute("id");
  copy.setAttribute("aria-hidden", "true");
  copy.classList.add("dragged");
  const place = { left, top, width, height };
  Object.entries(place).forEach(([name, value]) => copy.style.setProperty(name, `${value}px`));
  document.body.append(copy);
  return copy;
}

/** A copy of a part of a drawing that stands by itself. */
function framed(node) {
  const { x, y, width, height } = node.getBBox();
  return s("svg", { viewBox: `${x} ${y} ${width} ${height}` }, node.cloneNode(true));
}
