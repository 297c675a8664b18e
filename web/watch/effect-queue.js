/**
 * One queue for all that moves and sounds. What it is given has happened already, and the page shows it: an effect only tells how it came
 * about, so nothing ever waits for it, and whoever is behind skips to what is.
 */

/**
 * One movement of one node. `frames` end with what the node looks like without them.
 *
 * @typedef {Object} Movement
 * @property {Element} node
 * @property {Keyframe[]} frames
 * @property {boolean} [temporary] the node is there for its movements alone, and goes with the last of them.
 */

/**
 * Something that is shown as one: its movements begin together, and what follows begins when it is over.
 *
 * @typedef {Object} Effect
 * @property {string} name the id of its animations.
 * @property {number} ms
 * @property {string|null} sound one of `sounds.js`.
 * @property {Movement[]} movements
 */

/** What a step is shown with at most, in milliseconds: of more, the last. */
export const LONGEST_MS = 2800;
/** Further behind than this nobody is shown what they have missed. */
export const BEHIND_MS = 1200;

/** The last of some effects that have room in so many milliseconds; one at least, if there is any. */
export function latest(effects, most = LONGEST_MS) {
  let room = most;
  const first = effects.findLastIndex(({ ms }) => (room -= ms) < 0);
  return effects.slice(Math.min(first + 1, Math.max(0, effects.length - 1)));
}

export class EffectQueue {
  /** The animations of each node in their order, whichever of them still shows or holds it. @type {Map<Element, Animation[]>} */
  #running = new Map();
  /** @type {Set<ReturnType<typeof setTimeout>>} */
  #sounds = new Set();
  /** @type {Set<Element>} */
  #temporary = new Set();
  #until = 0;

  /**
   * @param {{now: () => number, sound: (name: string) => void}} options `now` in milliseconds.
   */
  constructor({ now, sound }) {
    this.now = now;
    this.sound = sound;
  }

  /** How far behind the page it is, in milliseconds. */
  get behind() {
    return Math.max(0, this.#until - this.now());
  }

  /**
   * Show how something came about, after what is still being shown.
   *
   * @param {Effect[]} effects in their order.
   * @param {{still: boolean}} how `still`: nothing moves, it only sounds.
   */
  add(effects, { still }) {
    if (this.behind > BEHIND_MS || still) {
      this.skip();
    }
    const shown = latest(effects);
    const left = still ? effects : effects.slice(0, effects.length - shown.length);
    left.forEach(({ movements }) => movements.forEach(({ node, temporary }) => temporary && node.remove()));
    let delay = this.behind;
    for (const effect of shown) {
      this.#sound(effect, delay);
      if (!still) {
        effect.movements.forEach((movement) => this.#move(movement, effect, delay));
      }
      delay += effect.ms;
    }
    this.#until = this.now() + delay;
  }

  /** Everything is at its place at once, and silent. */
  skip() {
    this.#sounds.forEach((timer) => clearTimeout(timer));
    this.#sounds.clear();
    [...this.#running.values()].flat().forEach((animation) => animation.cancel());
    this.#running.clear();
    this.#temporary.forEach((node) => node.remove());
    this.#temporary.clear();
    this.#until = 0;
  }

  #sound({ sound }, delay) {
    if (sound === null) {
      return;
    }
    const timer = setTimeout(() => {
      this.#sounds.delete(timer);
      this.sound(sound);
    }, delay);
    this.#sounds.add(timer);
  }

  /** A node that is to move again holds where it has got to until then. */
  #move({ node, frames, temporary = false }, { name, ms }, delay) {
    const animations = this.#running.get(node) ?? [];
    const fill = animations.length > 0 ? "none" : "backwards";
    animations.at(-1)?.effect?.updateTiming({ fill: "both" });
    const animation = node.animate(frames, { id: name, duration: ms, delay, easing: "ease-in-out", fill });
    animations.push(animation);
    this.#running.set(node, animations);
    if (temporary) {
      this.#temporary.add(node);
    }
    animation.onfinish = () => {
      animations.splice(0, animations.indexOf(animation)).forEach((earlier) => earlier.cancel());
      if (this.#running.get(node)?.at(-1) === animation) {
        this.#running.delete(node);
        if (this.#temporary.delete(node)) {
          node.remove();
        }
      }
    };
  }
}
