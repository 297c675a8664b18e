/** Keeps the line of the log that is shown in sight, without moving the page. */

/** A line that has stood still for so many frames after a jump has found its place. */
const STILL = 3;

/** After so many frames nobody waits for that any more. */
const FRAMES = 60;

/** How near to the edge of its box the line may come, in pixels. */
const MARGIN = 48;

/** What is in sight of a log: its lines lie in chapters, whose headings stick above them. */
export class LogSight {
  /** The line that is shown. @type {HTMLElement|null} */
  #item = null;

  /** @param {HTMLElement} list holds the chapters, each a `section` with a heading and lines. */
  constructor(list) {
    this.list = list;
    // What stands above the log comes and goes; the line that is shown must stay in sight.
    this.sizes = new ResizeObserver(() => this.keep());
    this.sizes.observe(list);
  }

  /** Bring a line into sight, and keep that one there from now on; null: none. @param {HTMLElement|null} item */
  show(item) {
    this.#item = item;
    // Once all has been drawn: to measure before would have the page laid out twice.
    requestAnimationFrame(() => {
      if (item !== null && item === this.#item) {
        this.#reveal(item);
        this.#revealAgain(item);
      }
    });
  }

  /** Bring the line that is shown into sight, wherever the reader is. */
  seek() {
    this.#item && this.#reveal(this.#item);
  }

  /** The same, unless the reader goes from line to line elsewhere. */
  keep() {
    const focused = this.list.contains(document.activeElement) ? document.activeElement : null;
    if (this.#item && (focused === null || this.#item.contains(focused))) {
      this.#reveal(this.#item);
    }
  }

  /** The same where the list comes into sight only now. */
  appear() {
    this.keep();
    this.#item && this.#revealAgain(this.#item);
  }

  /** Nothing of it runs any more. */
  stop() {
    this.sizes.disconnect();
    this.#item = null;
  }

  get #sections() {
    return /** @type {HTMLElement[]} */ ([...this.list.children]).filter((section) => !section.hidden);
  }

  /** Lines get their true height only when they are drawn, and then move what is below them. */
  #revealAgain(item, { still = STILL, frames = FRAMES, top = null } = {}) {
    requestAnimationFrame(() => {
      if (item === this.#item && still > 0 && frames > 0) {
        this.keep();
        const now = item.getBoundingClientRect().top;
        this.#revealAgain(item, { still: now === top ? still - 1 : STILL, frames: frames - 1, top: now });
      }
    });
  }

  /** The newest line stands at the bottom, with as many others above it as there is room for. */
  #reveal(item) {
    const box = this.list.getBoundingClientRect();
    const line = item.getBoundingClientRect();
    if (this.#isNewest(item)) {
      this.list.scrollTop += line.bottom - box.bottom;
    } else if (line.top < box.top + MARGIN || line.bottom > box.bottom - MARGIN) {
      this.list.scrollTop += line.top - box.top - box.height / 2;
    }
    this.#settle(item);
    // What comes into sight has its true height from the next frame on, and may move what stands there.
    inTwoFrames(() => this.#item === item && this.#settle(item));
  }

  #isNewest(item) {
    const section = this.#sections.at(-1);
    return section !== undefined && linesOf(section).at(-1) === item;
  }

  /** No line is to stand half under the heading that sticks above it: the first in sight is whole, or leaves where that would push the shown one out. */
  #settle(item) {
    const box = this.list.getBoundingClientRect();
    const section = this.#sections.findLast((each) => each.getBoundingClientRect().top <= box.top + 1);
    const edge = box.top + headingOf(section);
    const lines = section === undefined ? [] : linesOf(section);
    const first = lines.find((each) => each.getBoundingClientRect().bottom > edge) ?? lines.at(-1);
    const { top, bottom } = first?.getBoundingClientRect() ?? { top: edge, bottom: edge };
    const hidden = edge - top;
    if (hidden > 0 && first !== item) {
      // Where a chapter ends, its last line leaves together with the heading.
      const leaves = bottom - (first === lines.at(-1) ? box.top : edge);
      this.list.scrollTop += hidden <= box.bottom - item.getBoundingClientRect().bottom ? -hidden : leaves;
    }
    const line = item.getBoundingClientRect();
    const begin = box.top + headingOf(item.closest("section"));
    if (line.bottom > box.bottom + 1 || line.top < begin) {
      this.list.scrollTop += line.top - begin; // in a low box it stands first
    }
  }
}

/** Do something once what comes into sight now has its true height. @param {() => void} then */
export function inTwoFrames(then) {
  requestAnimationFrame(() => requestAnimationFrame(then));
}

function linesOf(section) {
  return [...section.querySelectorAll("li:not([hidden])")];
}

/** How high the heading of a chapter is, which sticks above its lines. */
function headingOf(section) {
  return section?.querySelector("h3")?.offsetHeight ?? 0;
}
