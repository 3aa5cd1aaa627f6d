import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AudioEvent } from './audio-output.ts';
import { COPY_TIMEOUT_MS } from './engine.ts';
import { createEngineBench } from './testing/engine-bench.ts';
import { PlayerModel } from './testing/player-model.ts';
import { buildPreview, buildTrack } from '../testing/build-track.ts';
import { settle } from './testing/simulated-output.ts';

const TRACKS = [
  buildTrack('full'),
  buildTrack('other'),
  buildPreview('preview'),
  buildPreview('short-preview', { duration: 15 }),
  buildTrack('short', { duration: 12 }),
];

type Bench = ReturnType<typeof createEngineBench>;
type World = {
  bench: Bench;
  model: PlayerModel;
  /** The one of the two outputs that holds the current track. */
  output: Bench['output'];
  generations: number[];
  /** Loads that began ahead of time and have not sounded yet. */
  untried: Set<number>;
};
type Step = {
  name: string;
  run(world: World): void | Promise<void>;
  [fc.toStringMethod](): string;
};

/** A counterexample prints as the list of its steps. */
const step = (name: string, run: Step['run']): Step => ({
  name,
  run,
  [fc.toStringMethod]: () => name,
});

const anyTrack = fc.constantFrom(...TRACKS);
const anyTracks = fc.array(anyTrack, { maxLength: 4 });
const anyIndex = fc.integer({ min: -2, max: 6 });
const anyTime = fc.oneof(
  fc.constantFrom(0, 3, 3.01, 19.99, 20, 20.01),
  fc.integer({ min: -5, max: 320 }),
);
const SIMPLE = [
  'play',
  'pause',
  'stop',
  'togglePlay',
  'skipToNext',
  'skipToPrevious',
  'clear',
  'close',
  'mute',
  'unmute',
  'toggleQueue',
  'toggleExpanded',
] as const;

const anyCommand: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom(...SIMPLE).map((name) =>
    step(name, ({ bench, model }) => {
      bench.engine[name]();
      model[name]();
    }),
  ),
  ...(['setTrack', 'addToQueue'] as const).map((name) =>
    anyTrack.map((track) =>
      step(`${name}(${track.id})`, ({ bench, model }) => {
        bench.engine[name](track);
        model[name](track);
      }),
    ),
  ),
  ...(['playTracks', 'setQueue'] as const).map((name) =>
    anyTracks.map((tracks) =>
      step(`${name}(${tracks.map(({ id }) => id).join(', ')})`, ({ bench, model }) => {
        bench.engine[name](tracks);
        model[name](tracks);
      }),
    ),
  ),
  ...(['playTrackAt', 'removeFromQueue'] as const).map((name) =>
    anyIndex.map((index) =>
      step(`${name}(${index})`, ({ bench, model }) => {
        bench.engine[name](index);
        model[name](index);
      }),
    ),
  ),
  anyTime.map((time) =>
    step(`seek(${time})`, ({ bench, model }) => {
      bench.engine.seek(time);
      model.seek(time);
    }),
  ),
  fc.constantFrom(0, 0.01, 0.5, 1).map((volume) =>
    step(`setVolume(${volume})`, ({ bench, model }) => {
      bench.engine.setVolume(volume);
      model.setVolume(volume);
    }),
  ),
  anyTrack.map((track) =>
    step(`prepare(${track.id})`, ({ bench, output, untried }) => {
      const resting = output === bench.output ? bench.spare : bench.output;
      const before = resting.generation;
      bench.engine.prepare(track);
      if (resting.generation !== before) untried.add(resting.generation);
    }),
  ),
  fc.boolean().map((isSubscriber) =>
    step(`setSubscriber(${isSubscriber})`, ({ bench, model }) => {
      bench.engine.setSubscriber(isSubscriber);
      model.setSubscriber(isSubscriber);
    }),
  ),
);

/** Something the audio does, where the model says that it can. */
const outcome = (
  name: string,
  isPossible: (model: PlayerModel) => boolean,
  run: Step['run'],
): Step => step(`· ${name}`, (world) => (isPossible(world.model) ? run(world) : undefined));

const isLoaded = (model: PlayerModel) => model.track !== null && !model.isUnloaded;
const isReady = (model: PlayerModel) => isLoaded(model) && !model.isLoading;

const metadata = outcome(
  'metadata',
  (model) => isLoaded(model) && model.isLoading,
  ({ output, model }) => {
    const seconds = (model.track?.duration ?? 0) + 0.5;
    output.emit({ type: 'loadedmetadata', duration: seconds });
    model.metadata(seconds);
  },
);
const started = outcome('started', isReady, ({ output, model, untried }) => {
  output.emit({ type: 'playing' });
  untried.delete(output.generation);
  model.started();
});
const ended = outcome('ended', isReady, ({ output, model }) => {
  output.emit({ type: 'ended' });
  model.ended();
});
const failed = outcome('load fails', isLoaded, ({ output, model }) => {
  output.emit({ type: 'error', reason: 'simulated' });
  model.failed();
});
const stalled = outcome('stalls', isReady, ({ output, model }) => {
  output.emit({ type: 'waiting' });
  model.stalled();
});
const pausedByDevice = outcome(
  'paused by the device',
  (model) => model.isActive && isLoaded(model),
  ({ output, model }) => {
    output.emit({ type: 'paused' });
    model.pause();
  },
);
const rejected = (name: string) =>
  outcome(
    `play rejected with ${name}`,
    (model) => model.mode === 'starting' && isLoaded(model),
    async ({ output, model, untried }) => {
      const isRefused = name === 'NotAllowedError';
      const isTriedElsewhere = isRefused && untried.has(output.generation);
      await output.rejectPlay(name);
      // The other output tries at once, and nobody sees a difference.
      if (!isTriedElsewhere) model.playRejected(isRefused);
    },
  );
const connection = fc.boolean().map((isOnline) =>
  step(`· the connection is ${isOnline ? 'there' : 'lost'}`, ({ bench, model }) => {
    bench.device.isOnline = isOnline;
    model.isOnline = isOnline;
  }),
);
const copied = outcome(
  'a copy arrives',
  ({ isAwaitingCopy }) => isAwaitingCopy,
  ({ bench, model }) => {
    if (model.track) bench.engine.refreshTrack(model.track);
    model.copyArrived();
  },
);
const uncopied = outcome(
  'no copy arrives',
  ({ isAwaitingCopy }) => isAwaitingCopy,
  ({ bench, model }) => {
    bench.clock.advance(COPY_TIMEOUT_MS);
    model.copyArrived();
  },
);
const reached = anyTime.map((time) =>
  outcome(`reaches ${time}`, isReady, ({ output, model }) => {
    output.emit({ type: 'timeupdate', time: Math.max(0, time) });
    model.reached(Math.max(0, time));
  }),
);
const LATE: AudioEvent[] = [
  { type: 'loadedmetadata', duration: 7 },
  { type: 'durationchange', duration: 7 },
  { type: 'timeupdate', time: 25 },
  { type: 'playing' },
  { type: 'paused' },
  { type: 'waiting' },
  { type: 'ended' },
  { type: 'error', reason: 'late' },
];
/** An older load speaks up: the model does not even notice. */
const late = fc.tuple(fc.constantFrom(...LATE), fc.nat(20)).map(([event, back]) =>
  step(`· late ${event.type}`, ({ output, model, generations }) => {
    const older = generations.filter(
      (generation) => generation !== output.generation || !isLoaded(model),
    );
    const from = older.at(-1 - (back % Math.max(1, older.length)));
    if (from !== undefined) output.emit(event, from);
  }),
);

const anyOutcome: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(metadata) },
  { weight: 4, arbitrary: fc.constant(started) },
  { weight: 3, arbitrary: reached },
  { weight: 2, arbitrary: late },
  { weight: 1, arbitrary: connection },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ended,
      failed,
      failed,
      copied,
      uncopied,
      stalled,
      pausedByDevice,
      rejected('NotSupportedError'),
      rejected('NotAllowedError'),
    ),
  },
);

function describeEngine({ bench, output }: World) {
  const state = bench.state();
  return {
    track: state.currentTrack?.id,
    queue: state.queue.map(({ id }) => id),
    index: state.currentTrackIndex,
    isPlaying: state.isPlaying,
    isStarting: state.isStarting,
    isLoading: state.isLoading,
    isBuffering: state.isBuffering,
    time: state.currentTime,
    duration: state.duration,
    volume: state.volume,
    isSubscriber: state.isSubscriber,
    isFullTrackAvailable: state.isFullTrackAvailable,
    isQueueVisible: state.isQueueVisible,
    isExpanded: state.isExpanded,
    starts: bench.starts(),
    previewEnds: bench.previewEnds,
    halts: bench.device.halts,
    loadErrors: bench.logs.filter((message) => message.startsWith('Error playing')),
    // The device does what the state says.
    isAskedToPlay: output.isAskedToPlay,
    file: output.url,
    loudness: output.volume,
  };
}

function describeModel({ model }: World): ReturnType<typeof describeEngine> {
  return {
    track: model.track?.id,
    queue: model.queue.map(({ id }) => id),
    index: model.index,
    isPlaying: model.mode === 'playing',
    isStarting: model.mode === 'starting',
    isLoading: model.isLoading,
    isBuffering: model.isBuffering,
    time: model.time,
    duration: model.duration,
    volume: model.volume,
    isSubscriber: model.isSubscriber,
    isFullTrackAvailable: model.isSubscriber,
    isQueueVisible: model.isQueueVisible,
    isExpanded: model.isExpanded,
    starts: model.starts,
    previewEnds: model.previewEnds,
    halts: model.halts,
    loadErrors: model.loadErrors,
    isAskedToPlay: model.isActive && !model.isUnloaded,
    file: (!model.isUnloaded && model.track?.fileUrl) || null,
    loudness: model.volume,
  };
}

async function runSteps(steps: readonly Step[]): Promise<void> {
  const bench = createEngineBench();
  const world: World = {
    bench,
    model: new PlayerModel(),
    output: bench.output,
    generations: [],
    untried: new Set(),
  };
  for (const { run } of steps) {
    await run(world);
    await settle();
    const file = world.model.isUnloaded ? undefined : world.model.track?.fileUrl;
    world.output = [bench.output, bench.spare].find(({ url }) => url === file) ?? world.output;
    const { generation } = world.output;
    if (!world.generations.includes(generation)) world.generations.push(generation);
    expect(describeEngine(world)).toEqual(describeModel(world));
  }
  bench.engine.dispose();
}

describe('the engine', () => {
  it('does what the specification says, whatever the listener and the audio do', async () => {
    const anySteps = fc.array(fc.oneof(anyCommand, anyOutcome), { maxLength: 60, size: 'max' });
    await fc.assert(fc.asyncProperty(anySteps, runSteps), { numRuns: 3000 });
  }, 120_000);
});
