import type { AudioEvent, AudioCallback, AudioOutput } from '../audio/audio-output.ts';

/** An output that plays nothing and reports what a test emits. */
export type SimulatedOutput = AudioOutput & {
  readonly url: string | null;
  readonly generation: number;
  readonly volume: number;
  readonly isAskedToPlay: boolean;
  readonly seeks: number[];
  /** Every URL it was given, in order. */
  readonly loads: string[];
  /** Every call that reached it, in order. */
  readonly calls: string[];
  emit(event: AudioEvent, generation?: number): void;
  /** Rejects all pending calls of `play` with an error of this name. */
  rejectPlay(name: string): Promise<void>;
};

export function createSimulatedOutput(canFade = true): SimulatedOutput {
  const callbacks = new Set<AudioCallback>();
  let waiting: ((cause: Error) => void)[] = [];
  const own = {
    url: null as string | null,
    generation: 0,
    volume: 1,
    isAskedToPlay: false,
    seeks: [] as number[],
    loads: [] as string[],
    calls: [] as string[],
  };

  /** A real element rejects pending plays when it is paused or gets another file, and does so later. */
  const interrupt = () => {
    own.isAskedToPlay = false;
    const interrupted = waiting;
    waiting = [];
    for (const reject of interrupted) reject(createNamedError('AbortError'));
  };

  /** How the event changes a real element's own state. */
  const update = ({ type }: AudioEvent) => {
    if (type === 'playing') {
      waiting = [];
      own.isAskedToPlay = true;
    }
    if (type === 'paused' || type === 'ended' || type === 'error') interrupt();
  };

  return Object.assign(own, {
    canFade,
    load(url: string, generation: number) {
      interrupt();
      Object.assign(own, { url, generation });
      own.loads.push(url);
      own.calls.push(`load ${url}`);
    },
    unload() {
      interrupt();
      own.url = null;
      own.calls.push('unload');
    },
    play() {
      own.isAskedToPlay = true;
      own.calls.push('play');
      return new Promise<void>((_, reject) => void waiting.push(reject));
    },
    pause() {
      interrupt();
      own.calls.push('pause');
    },
    seek(seconds: number) {
      own.seeks.push(seconds);
      own.calls.push(`seek ${seconds}`);
    },
    setVolume(volume: number) {
      own.volume = volume;
    },
    subscribe(callback: AudioCallback) {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    dispose() {
      own.calls.push('dispose');
      callbacks.clear();
    },
    emit(event: AudioEvent, generation = own.generation) {
      if (own.url !== null && generation === own.generation) update(event);
      for (const callback of callbacks) callback(event, generation);
    },
    async rejectPlay(name: string) {
      const failed = waiting;
      waiting = [];
      own.isAskedToPlay = false;
      for (const reject of failed) reject(createNamedError(name));
      await settle();
    },
  });
}

function createNamedError(name: string): Error {
  const error = new Error(`The simulated playback fails with ${name}.`);
  error.name = name;
  return error;
}

/** Runs the callbacks of every promise that is settled. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}
