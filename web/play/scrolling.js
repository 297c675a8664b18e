/** Bringing the panel into sight, together with the hint of a lesson where there is one. */

/** Show an element where it lies in a column that scrolls by itself; the page as a whole stays where its reader is. */
export function scrollUpTo(element) {
  for (let column = element.parentElement; column && column !== document.body; column = column.parentElement) {
    const first = hintIn(column) ?? element;
    const scrolls = /auto|scroll/.test(getComputedStyle(column).overflowY) && column.scrollHeight > column.clientHeight;
    const above = column.getBoundingClientRect().top - first.getBoundingClientRect().top;
    if (scrolls && above > 0) {
      column.scrollTop -= above;
    }
  }
}

/** Show a part of the panel to whoever chooses there; false: whoever chooses on the board goes on there. */
export function bringUp(part) {
  if (part) {
    hintIn(part.closest(".watch-scroll"))?.scrollIntoView({ block: "nearest" });
    part.scrollIntoView({ block: "nearest" });
  }
}

/** What a lesson says to what is decided below it. */
function hintIn(column) {
  return column?.querySelector(".lesson") ?? null;
}
