import { SAMPLE_RATE } from './sample.ts';

/** First-order low-pass; the rest of the signal is the matching high-pass. */
export class OnePole {
  #state = 0;
  #coefficient = 0;

  constructor(cutoff: number) {
    this.#coefficient = 1 - Math.exp((-2 * Math.PI * cutoff) / SAMPLE_RATE);
  }

  lowpass(x: number): number {
    this.#state += this.#coefficient * (x - this.#state);
    return this.#state;
  }

  highpass(x: number): number {
    return x - this.lowpass(x);
  }
}

/** Two-pole state variable filter (trapezoidal): stays stable while its cutoff moves. */
export class StateVariableFilter {
  low = 0;
  band = 0;
  high = 0;
  #first = 0;
  #second = 0;
  #a1 = 0;
  #a2 = 0;
  #a3 = 0;
  #damping = 1;

  constructor(cutoff: number, resonance = Math.SQRT1_2) {
    this.tune(cutoff, resonance);
  }

  tune(cutoff: number, resonance: number): void {
    const g = Math.tan((Math.PI * Math.min(Math.max(cutoff, 10), 20_000)) / SAMPLE_RATE);
    this.#damping = 1 / resonance;
    this.#a1 = 1 / (1 + g * (g + this.#damping));
    this.#a2 = g * this.#a1;
    this.#a3 = g * this.#a2;
  }

  process(x: number): void {
    const v3 = x - this.#second;
    const band = this.#a1 * this.#first + this.#a2 * v3;
    const low = this.#second + this.#a2 * this.#first + this.#a3 * v3;
    this.#first = 2 * band - this.#first;
    this.#second = 2 * low - this.#second;
    this.low = low;
    this.band = band;
    this.high = x - this.#damping * band - low;
  }
}

/** How often a moving cutoff is updated, in samples. */
export const CONTROL_INTERVAL = 32;

type FilterMode = 'low' | 'band' | 'high';

/** Filters in place; the cutoff may depend on the seconds since the start. */
export function filterInPlace(
  data: Float32Array,
  mode: FilterMode,
  cutoff: number | ((seconds: number) => number),
  resonance = Math.SQRT1_2,
): Float32Array {
  const filter = new StateVariableFilter(
    typeof cutoff === 'number' ? cutoff : cutoff(0),
    resonance,
  );
  for (let i = 0; i < data.length; i++) {
    if (typeof cutoff !== 'number' && i % CONTROL_INTERVAL === 0) {
      filter.tune(cutoff(i / SAMPLE_RATE), resonance);
    }
    filter.process(data[i] as number);
    data[i] = filter[mode];
  }
  return data;
}
