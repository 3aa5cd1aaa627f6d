import { OnePole } from './filters.ts';
import { toFrames } from './sample.ts';

/** Echoes that switch sides and get duller each time. */
export class PingPongDelay {
  #left: Float32Array;
  #right: Float32Array;
  #at = 0;
  #feedback: number;
  #leftTone = new OnePole(3600);
  #rightTone = new OnePole(3600);
  #rumble = new OnePole(280);

  constructor(seconds: number, feedback: number) {
    this.#left = new Float32Array(Math.max(1, toFrames(seconds)));
    this.#right = new Float32Array(this.#left.length);
    this.#feedback = feedback;
  }

  /** Adds the echoes of `send` on both sides. */
  process(send: Float32Array, left: Float32Array, right: Float32Array, frames: number): void {
    for (let i = 0; i < frames; i++) {
      const fromLeft = this.#left[this.#at] as number;
      const fromRight = this.#right[this.#at] as number;
      left[i] = (left[i] as number) + fromLeft;
      right[i] = (right[i] as number) + fromRight;
      const input = this.#rumble.highpass(send[i] as number);
      this.#left[this.#at] = this.#leftTone.lowpass(input + fromRight * this.#feedback);
      this.#right[this.#at] = this.#rightTone.lowpass(fromLeft * this.#feedback);
      this.#at = this.#at + 1 === this.#left.length ? 0 : this.#at + 1;
    }
  }
}
