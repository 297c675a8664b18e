/** The sounds of a table, made of tones and of noise: nothing is loaded, and nothing is made before one is asked for. */

import { audio } from "../calling/sound.js";

/**
 * A part of a sound. Seconds and hertz; a tone glides from one pitch to the other, noise is what a filter that glides so lets through.
 *
 * @typedef {Object} Voice
 * @property {OscillatorType|"noise"} of
 * @property {number} at
 * @property {number} length
 * @property {number} from
 * @property {number} to
 * @property {number} loud
 */

/** @returns {Voice} */
const voice = (of, at, length, from, to, loud) => ({ of, at, length, from, to, loud });

/** @type {Object<string, Voice[]>} */
const SOUNDS = {
  step: [voice("noise", 0, 0.07, 320, 140, 0.35), voice("noise", 0.2, 0.07, 280, 120, 0.3)],
  push: [voice("noise", 0, 0.12, 900, 120, 0.5), voice("sine", 0.05, 0.16, 120, 55, 0.4)],
  hatch: [voice("noise", 0, 0.3, 500, 2600, 0.16), voice("square", 0, 0.05, 210, 170, 0.07), voice("sine", 0.28, 0.1, 90, 60, 0.35)],
  slide: [voice("noise", 0, 0.5, 160, 420, 0.4), voice("sine", 0.46, 0.12, 75, 48, 0.5)],
  flip: [voice("noise", 0, 0.04, 2600, 1400, 0.25), voice("triangle", 0.03, 0.06, 620, 780, 0.12)],
  alarm: [voice("sawtooth", 0, 0.26, 520, 700, 0.09), voice("sawtooth", 0.3, 0.26, 520, 700, 0.09)],
  death: [voice("sine", 0, 0.65, 240, 48, 0.5), voice("noise", 0, 0.4, 1400, 90, 0.16)],
  groan: [voice("sawtooth", 0, 0.5, 96, 62, 0.14), voice("noise", 0.05, 0.4, 420, 180, 0.12)],
  fight: [voice("noise", 0, 0.09, 1500, 300, 0.45), voice("noise", 0.14, 0.1, 1100, 200, 0.45), voice("sine", 0.14, 0.14, 130, 60, 0.35)],
  victory: [voice("triangle", 0, 0.18, 523, 523, 0.2), voice("triangle", 0.18, 0.18, 659, 659, 0.2), voice("triangle", 0.36, 0.5, 784, 784, 0.22)],
  defeat: [voice("triangle", 0, 0.25, 392, 392, 0.2), voice("triangle", 0.25, 0.25, 349, 349, 0.2), voice("triangle", 0.5, 0.6, 262, 247, 0.22)],
};

const SLOPE_S = 0.012;

/** @type {AudioBuffer|null} */
let noise = null;

/**
 * Let a sound be heard, where the browser lets the page.
 *
 * @param {string} name
 * @throws {Error} there is no such sound: a mistake of a game.
 */
export function soundOf(name) {
  const voices = SOUNDS[name];
  if (voices === undefined) {
    throw new Error(`no sound is called ${name}`);
  }
  const context = audio();
  if (context !== null) {
    voices.forEach((each) => sing(context, each));
  }
}

function sing(context, { of, at, length, from, to, loud }) {
  const begin = context.currentTime + at;
  const end = begin + length;
  const loudness = context.createGain();
  loudness.gain.setValueAtTime(0, begin);
  loudness.gain.linearRampToValueAtTime(loud, begin + SLOPE_S);
  loudness.gain.exponentialRampToValueAtTime(0.001, end);
  loudness.connect(context.destination);
  const source = of === "noise" ? hiss(context, loudness, { begin, end, from, to }) : tone(context, loudness, { of, begin, end, from, to });
  source.start(begin);
  source.stop(end);
}

function tone(context, loudness, { of, begin, end, from, to }) {
  const source = context.createOscillator();
  source.type = of;
  glide(source.frequency, { begin, end, from, to });
  source.connect(loudness);
  return source;
}

function hiss(context, loudness, times) {
  const source = context.createBufferSource();
  source.buffer = noise ??= whiteNoise(context);
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  glide(filter.frequency, times);
  source.connect(filter);
  filter.connect(loudness);
  return source;
}

function glide(frequency, { begin, end, from, to }) {
  frequency.setValueAtTime(from, begin);
  frequency.exponentialRampToValueAtTime(to, end);
}

/** A second of noise: it needs no true chance. */
function whiteNoise(context) {
  const buffer = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const samples = buffer.getChannelData(0);
  let state = 1;
  for (let i = 0; i < samples.length; i += 1) {
    state = (state * 48271) % 2147483647;
    samples[i] = (2 * state) / 2147483647 - 1;
  }
  return buffer;
}
