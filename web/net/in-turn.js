/** Reads one after another, so that no older answer comes after a newer one. */

/**
 * A reading that is never under way twice: what is asked for while it is makes one more afterwards.
 *
 * @param {() => Promise<void>} read
 * @returns {() => Promise<void>} asks for a reading; throws what that throws.
 */
export function inTurn(read) {
  let reading = false;
  let again = false;
  return async () => {
    again = true;
    if (reading) {
      return;
    }
    reading = true;
    try {
      while (again) {
        again = false;
        await read();
      }
    } finally {
      reading = false;
    }
  };
}
