import { OnePole } from './filters.ts';
import { SAMPLE_RATE, toFrames } from './sample.ts';

/** Runs at half the sample rate: reverb has hardly any treble. */
const RATIO = 2;
/** Lengths without common factors, so that the echoes don't form a pitch. */
const LENGTHS = [719, 811, 937, 1033, 1129, 1201, 1307, 1399];
/** Shorter than every line, so a line never reads what the same stretch writes. */
const STRETCH = 512;
const BUFFER = 2048;
const MASK = BUFFER - 1;

type Line = {
  data: Float32Array;
  length: number;
  gain: number;
  damped: number;
  out: Float32Array;
};

/** Feedback delay network of eight damped lines behind a short pre-delay. */
export class Reverb {
  #lines: Line[];
  #damping: number;
  #at = 0;
  #input = new Float32Array(STRETCH);
  #shared = new Float32Array(STRETCH);
  #preDelay = new Float32Array(BUFFER);
  #rumble = new OnePole(260 * RATIO);
  #lastLeft = 0;
  #lastRight = 0;

  constructor(seconds: number, damping = 0.3) {
    this.#damping = damping;
    this.#lines = LENGTHS.map((length) => ({
      data: new Float32Array(BUFFER),
      length,
      // The reverberation time is how long the sound takes to fall by 60 dB.
      gain: 10 ** ((-3 * length * RATIO) / (seconds * SAMPLE_RATE)),
      damped: 0,
      out: new Float32Array(STRETCH),
    }));
  }

  /** Adds the reverb of `send` to both sides; `frames` is even. */
  process(send: Float32Array, left: Float32Array, right: Float32Array, frames: number): void {
    for (let from = 0; from < frames; from += STRETCH * RATIO) {
      const length = Math.min(STRETCH, (frames - from) / RATIO);
      this.#readInput(send, from, length);
      this.#shared.fill(0);
      for (const line of this.#lines) this.#readLine(line, length);
      for (const line of this.#lines) this.#writeLine(line, length);
      this.#at = (this.#at + length) & MASK;
      this.#addOutput(left, right, from, length);
    }
  }

  #readInput(send: Float32Array, from: number, length: number): void {
    const input = this.#input;
    const preDelay = this.#preDelay;
    const rumble = this.#rumble;
    const read = this.#at - toFrames(0.018 / RATIO);
    for (let i = 0; i < length; i++) {
      const at = from + i * RATIO;
      const mean = 0.5 * ((send[at] as number) + (send[at + 1] as number));
      preDelay[(this.#at + i) & MASK] = rumble.highpass(mean);
      input[i] = preDelay[(read + i) & MASK] as number;
    }
  }

  #readLine(line: Line, length: number): void {
    const { data, out } = line;
    const shared = this.#shared;
    const damping = this.#damping;
    const read = this.#at - line.length;
    let { damped } = line;
    for (let i = 0; i < length; i++) {
      const now = data[(read + i) & MASK] as number;
      damped = now + damping * (damped - now);
      out[i] = damped;
      shared[i] = (shared[i] as number) + damped;
    }
    line.damped = damped;
  }

  /** Householder matrix: every line feeds every other without adding energy. */
  #writeLine({ data, out, gain }: Line, length: number): void {
    const input = this.#input;
    const shared = this.#shared;
    const share = 2 / LENGTHS.length;
    const write = this.#at;
    for (let i = 0; i < length; i++) {
      const fed = ((out[i] as number) - share * (shared[i] as number)) * gain;
      data[(write + i) & MASK] = (input[i] as number) + fed;
    }
  }

  #addOutput(left: Float32Array, right: Float32Array, from: number, length: number): void {
    const [a, b, c, d, e, f, g, h] = this.#lines.map(({ out }) => out) as Eight;
    for (let i = 0; i < length; i++) {
      const at = from + i * RATIO;
      const l = (a[i] as number) - (c[i] as number) + (e[i] as number) - (g[i] as number);
      const r = (b[i] as number) - (d[i] as number) + (f[i] as number) - (h[i] as number);
      left[at] = (left[at] as number) + 0.5 * (this.#lastLeft + l);
      left[at + 1] = (left[at + 1] as number) + l;
      right[at] = (right[at] as number) + 0.5 * (this.#lastRight + r);
      right[at + 1] = (right[at + 1] as number) + r;
      this.#lastLeft = l;
      this.#lastRight = r;
    }
  }
}

type Side = Float32Array;
type Eight = [Side, Side, Side, Side, Side, Side, Side, Side];
