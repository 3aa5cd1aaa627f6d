import { PingPongDelay } from '../dsp/delay.ts';
import { Ducker } from '../dsp/ducker.ts';
import { CONTROL_INTERVAL, OnePole, StateVariableFilter } from '../dsp/filters.ts';
import { Limiter } from '../dsp/limiter.ts';
import { Reverb } from '../dsp/reverb.ts';
import { BUS_NAMES, DEFAULT_BUSES, type BusName, type BusSettings } from './buses.ts';
import type { Sweep } from './sweep.ts';
import { addToBlock, type SoundEvent } from './voices.ts';

export const BLOCK_FRAMES = 2048;
/** 1.2 dB below full scale, as lossy encoders raise peaks. */
const CEILING = 0.87;
/** Everything above this is raised by about 4 dB, so that voices and hats stand out. */
const PRESENCE_HZ = 1800;
const PRESENCE_GAIN = 0.6;

type MixerOptions = {
  buses: Partial<Record<BusName, Partial<BusSettings>>>;
  reverbSeconds: number;
  delaySeconds: number;
  duckRelease: number;
  /** Linear gain into the limiter. */
  drive: number;
};

const block = () => new Float32Array(BLOCK_FRAMES);

type Bus = { settings: BusSettings; left: Float32Array; right: Float32Array; active: SoundEvent[] };

/** Buses → ducking → sweep → room and echo → limiter, one block at a time. */
export class Mixer {
  readonly left = block();
  readonly right = block();
  #buses: Record<BusName, Bus>;
  #duck = block();
  #sweptLeft = block();
  #sweptRight = block();
  #reverbSend = block();
  #delaySend = block();
  #ducker: Ducker;
  #reverb: Reverb;
  #delay: PingPongDelay;
  #limiter = new Limiter(CEILING);
  #drive: number;
  #level = 0;
  #lowpass = [new StateVariableFilter(900), new StateVariableFilter(900)] as const;
  #highpass = [new StateVariableFilter(24), new StateVariableFilter(24)] as const;

  #presence = [new OnePole(PRESENCE_HZ), new OnePole(PRESENCE_HZ)] as const;

  constructor(options: MixerOptions) {
    const bus = (name: BusName): [BusName, Bus] => {
      const settings = { ...DEFAULT_BUSES[name], ...options.buses[name] };
      return [name, { settings, left: block(), right: block(), active: [] }];
    };
    this.#buses = Object.fromEntries(BUS_NAMES.map(bus)) as Record<BusName, Bus>;
    this.#ducker = new Ducker(options.duckRelease);
    this.#reverb = new Reverb(options.reverbSeconds);
    this.#delay = new PingPongDelay(options.delaySeconds, 0.42);
    this.#drive = options.drive;
  }

  start(event: SoundEvent): void {
    this.#buses[event.bus].active.push(event);
  }

  /** Fills `left` and `right` with the block that starts at `blockStart`. */
  process(blockStart: number, sweep: Sweep): void {
    for (const buffer of [this.left, this.right, this.#sweptLeft, this.#sweptRight]) buffer.fill(0);
    this.#reverbSend.fill(0);
    this.#delaySend.fill(0);
    const kicks = this.#buses.kick.active
      .map(({ frame }) => frame - blockStart)
      .filter((at) => at >= 0)
      .toSorted((a, b) => a - b);
    this.#ducker.process(kicks, this.#duck, BLOCK_FRAMES);
    for (const name of BUS_NAMES) this.#mixBus(this.#buses[name], blockStart);
    this.#applySweep(sweep);
    this.#reverb.process(this.#reverbSend, this.left, this.right, BLOCK_FRAMES);
    this.#delay.process(this.#delaySend, this.left, this.right, BLOCK_FRAMES);
    this.#master(sweep);
  }

  #mixBus(bus: Bus, blockStart: number): void {
    if (bus.active.length === 0) return;
    const { left, right, settings } = bus;
    left.fill(0);
    right.fill(0);
    bus.active = bus.active.filter((event) =>
      addToBlock(event, blockStart, left, right, BLOCK_FRAMES),
    );
    const outLeft = settings.isSwept ? this.#sweptLeft : this.left;
    const outRight = settings.isSwept ? this.#sweptRight : this.right;
    const { gain, duck, reverb, delay } = settings;
    const ducking = this.#duck;
    for (let i = 0; i < BLOCK_FRAMES; i++) {
      const level = gain * (1 - duck * (ducking[i] as number));
      const l = (left[i] as number) * level;
      const r = (right[i] as number) * level;
      outLeft[i] = (outLeft[i] as number) + l;
      outRight[i] = (outRight[i] as number) + r;
      left[i] = l + r;
    }
    if (reverb > 0) addScaled(left, reverb, this.#reverbSend);
    if (delay > 0) addScaled(left, delay, this.#delaySend);
  }

  #applySweep({ lowpass }: Sweep): void {
    const [left, right] = this.#lowpass;
    left.tune(lowpass, 0.8);
    right.tune(lowpass, 0.8);
    const sweptLeft = this.#sweptLeft;
    const sweptRight = this.#sweptRight;
    const outLeft = this.left;
    const outRight = this.right;
    for (let i = 0; i < BLOCK_FRAMES; i++) {
      left.process(sweptLeft[i] as number);
      right.process(sweptRight[i] as number);
      outLeft[i] = (outLeft[i] as number) + left.low;
      outRight[i] = (outRight[i] as number) + right.low;
    }
  }

  #master({ highpass, level }: Sweep): void {
    const [left, right] = this.#highpass;
    left.tune(highpass, Math.SQRT1_2);
    right.tune(highpass, Math.SQRT1_2);
    const [leftPresence, rightPresence] = this.#presence;
    const target = level * this.#drive;
    const outLeft = this.left;
    const outRight = this.right;
    for (let i = 0; i < BLOCK_FRAMES; i++) {
      // A sudden change of level would click, so it takes about 10 ms.
      if (i % CONTROL_INTERVAL === 0) this.#level += (target - this.#level) * 0.07;
      left.process((outLeft[i] as number) * this.#level);
      right.process((outRight[i] as number) * this.#level);
      outLeft[i] = left.high + PRESENCE_GAIN * leftPresence.highpass(left.high);
      outRight[i] = right.high + PRESENCE_GAIN * rightPresence.highpass(right.high);
    }
    this.#limiter.process(this.left, this.right, BLOCK_FRAMES);
  }
}

function addScaled(from: Float32Array, gain: number, to: Float32Array): void {
  for (let i = 0; i < BLOCK_FRAMES; i++) to[i] = (to[i] as number) + (from[i] as number) * gain;
}
