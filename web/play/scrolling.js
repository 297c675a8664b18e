/** Bringing the panel into sight. */

/** Show an element where it lies in a column that scrolls by itself; the page as a whole stays where its reader is. */
export function scrollUpTo(element) {
  for (let column = element.parentElement; column && column !== document.body; column = column.parentElement) {
    const scrolls = /auto|scroll/.test(getComputedStyle(column).overflowY) && column.scrollHeight > column.clientHeight;
    const above = column.getBoundingClientRect().top - element.getBoundingClientRect().top;
    if (scrolls && above > 0) {
      column.scrollTop -= above;
    }
  }
}

/** Show a part of the panel to whoever chooses there; false: whoever chooses on the board goes on there. */
export function bringUp(part) {
  if (part) {
    part.scrollIntoView({ block: "nearest" });
  }
}
