/** Two tones, a tick and a vibration, made here and not loaded. Nothing is made before the first of them is asked for. */

/** Beginning and length in seconds, frequency in hertz. */
const CALL = [
  { at: 0, length: 0.16, hertz: 659 },
  { at: 0.18, length: 0.26, hertz: 880 },
];
const TICK = [{ at: 0, length: 0.04, hertz: 1320 }];

const LOUDNESS = 0.2;
/** How long a tone takes to swell and to fade, in seconds: without, it clicks. */
const SLOPE = 0.015;
/** Vibrate, rest, vibrate: milliseconds. */
const PULSES = [120, 80, 200];

/** @type {AudioContext|null} */
let context = null;

/** Two tones, and two pulses where the device can and its reader has not asked for less motion. */
export function soundCall() {
  play(CALL);
  if (mayPlay() && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
    navigator.vibrate?.(PULSES);
  }
}

/** One of the last seconds. */
export function soundTick() {
  play(TICK);
}

/** Browsers let no page be heard that nobody has touched yet, and complain of the attempt. */
function mayPlay() {
  return navigator.userActivation?.hasBeenActive ?? true;
}

/** What sounds go to; null: the browser lets none be heard now. */
export function audio() {
  if (!mayPlay() || typeof AudioContext === "undefined") {
    return null;
  }
  context ??= new AudioContext();
  if (context.state === "suspended") {
    context.resume().catch(() => {}); // the browser knows why it stays silent
  }
  return context;
}

function play(tones) {
  const heard = audio();
  if (heard !== null) {
    tones.forEach((tone) => sound(heard, tone));
  }
}

function sound(audio, { at, length, hertz }) {
  const begin = audio.currentTime + at;
  const loudness = audio.createGain();
  loudness.gain.setValueAtTime(0, begin);
  loudness.gain.linearRampToValueAtTime(LOUDNESS, begin + SLOPE);
  loudness.gain.setValueAtTime(LOUDNESS, begin + length - SLOPE);
  loudness.gain.linearRampToValueAtTime(0, begin + length);
  const source = audio.createOscillator();
  source.frequency.value = hertz;
  source.connect(loudness);
  loudness.connect(audio.destination);
  source.start(begin);
  source.stop(begin + length);
}
