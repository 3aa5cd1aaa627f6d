import { decayPerSample, toFrames } from './sample.ts';

/** Looking this far ahead lets the gain fall before a peak instead of clipping it. */
export const LOOKAHEAD_FRAMES = toFrames(0.0025);

const RELEASE = decayPerSample(0.09);
/** How far the envelope falls within one look-ahead. A peak closer to it restarts the hold. */
const MARGIN = RELEASE ** LOOKAHEAD_FRAMES;

/**
 * Peak limiter without overshoot: the needed gain is held for as long as the look-ahead and then
 * averaged over it, so the smoothed gain reaches its target before the peak.
 */
export class Limiter {
  #ceiling: number;
  #delayedLeft = new Float64Array(LOOKAHEAD_FRAMES);
  #delayedRight = new Float64Array(LOOKAHEAD_FRAMES);
  #gains = new Float64Array(LOOKAHEAD_FRAMES).fill(1);
  #gainSum = LOOKAHEAD_FRAMES;
  #at = 0;
  #envelope = 0;
  #held = 0;

  constructor(ceiling: number) {
    this.#ceiling = ceiling;
  }

  /** In place; the output is delayed by `LOOKAHEAD_FRAMES`. */
  process(left: Float32Array, right: Float32Array, frames: number): void {
    for (let i = 0; i < frames; i++) {
      const l = left[i] as number;
      const r = right[i] as number;
      const gain = this.#smoothGain(Math.max(Math.abs(l), Math.abs(r)));
      left[i] = (this.#delayedLeft[this.#at] as number) * gain;
      right[i] = (this.#delayedRight[this.#at] as number) * gain;
      this.#delayedLeft[this.#at] = l;
      this.#delayedRight[this.#at] = r;
      this.#at = this.#at + 1 === LOOKAHEAD_FRAMES ? 0 : this.#at + 1;
    }
  }

  #smoothGain(peak: number): number {
    if (peak >= this.#envelope * MARGIN) {
      this.#envelope = Math.max(peak, this.#envelope);
      this.#held = LOOKAHEAD_FRAMES;
    } else if (this.#held > 0) this.#held--;
    else this.#envelope *= RELEASE;
    const target = this.#ceiling / Math.max(this.#ceiling, this.#envelope);
    this.#gainSum += target - (this.#gains[this.#at] as number);
    this.#gains[this.#at] = target;
    // Rounding errors add up to less than 1e-9 in half an hour.
    return this.#gainSum / LOOKAHEAD_FRAMES;
  }
}
