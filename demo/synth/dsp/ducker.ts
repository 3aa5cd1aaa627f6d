import { decayPerSample } from './sample.ts';

/** Sidechain: every kick triggers an envelope, by which the other sounds get quieter. */
export class Ducker {
  #envelope = 0;
  #rising = 0;
  #riseFrames = 130;
  #fall: number;

  constructor(releaseSeconds: number) {
    this.#fall = decayPerSample(releaseSeconds);
  }

  /** Writes the envelope (0 to 1) of a block in which kicks start at `kicks`, in order. */
  process(kicks: readonly number[], out: Float32Array, frames: number): void {
    let next = 0;
    for (let i = 0; i < frames; i++) {
      if (next < kicks.length && (kicks[next] as number) <= i) {
        this.#rising = this.#riseFrames;
        next++;
      }
      if (this.#rising > 0) {
        this.#envelope += (1 - this.#envelope) / this.#rising;
        this.#rising--;
      } else this.#envelope *= this.#fall;
      out[i] = this.#envelope;
    }
  }
}
