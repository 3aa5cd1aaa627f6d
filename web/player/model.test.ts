import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import type { AudioEvent } from './audio/audio-output.ts';
import { popCheckoutHandoff, saveCheckoutHandoff } from './session/checkout-handoff.ts';
import { COPY_TIMEOUT_MS } from './engine.ts';
import { moveInQueue } from './machine/queue-edits.ts';
import { parsePlayer, serializePlayer } from './session/persistence.ts';
import { watchSleepTimer } from './session/sleep-timer.ts';
import { pauseOtherTabs } from './session/tabs.ts';
import { createEngineBench } from './testing/engine-bench.ts';
import { PlayerModel } from './testing/player-model.ts';
import { buildPreview, buildTrack } from '../testing/build-track.ts';
import { createMemoryStorage } from './testing/memory-storage.ts';
import { settle } from './testing/simulated-output.ts';

const TRACKS = [
  buildTrack('full'),
  buildTrack('other'),
  buildPreview('preview'),
  buildPreview('short-preview', { duration: 15 }),
  buildTrack('short', { duration: 12 }),
];
/** Each track as a free user and as a subscriber gets it. */
const COPIES = TRACKS.flatMap(({ id, duration }) => [
  buildTrack(id, { duration }),
  buildPreview(id, { duration }),
]);

type Bench = ReturnType<typeof createEngineBench>;
type World = {
  bench: Bench;
  model: PlayerModel;
  /** The output that has the current track. */
  output: Bench['output'];
  generations: number[];
  /** Loads that began ahead of time and have not sounded yet. */
  untried: Set<number>;
  /** Delivers a message of another tab. */
  receiveMessage(data: unknown): void;
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
const idsOf = (tracks: readonly { id: string }[]) => tracks.map(({ id }) => id).join(', ');
const anyTracks = fc.array(anyTrack, { maxLength: 4 });
const anyIndex = fc.integer({ min: -2, max: 6 });
const anyTime = fc.oneof(
  fc.constantFrom(0, 3, 3.01, PREVIEW_SECONDS - 0.01, PREVIEW_SECONDS, PREVIEW_SECONDS + 0.01),
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
  'toggleMute',
] as const;

const anyCommand: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom(...SIMPLE).map((name) =>
    step(name, ({ bench, model }) => {
      bench.engine[name]();
      model[name]();
    }),
  ),
  ...(['setTrack', 'addToQueue', 'playNext'] as const).map((name) =>
    anyTrack.map((track) =>
      step(`${name}(${track.id})`, ({ bench, model }) => {
        bench.engine[name](track);
        model[name](track);
      }),
    ),
  ),
  anyTracks.map((tracks) =>
    step(`setQueue(${idsOf(tracks)})`, ({ bench, model }) => {
      bench.engine.setQueue(tracks);
      model.setQueue(tracks);
    }),
  ),
  fc.tuple(anyTracks, fc.constantFrom(null, 'Library', 'Top 20')).map(([tracks, source]) =>
    step(`playTracks(${idsOf(tracks)}, ${source})`, ({ bench, model }) => {
      bench.engine.playTracks(tracks, 0, source);
      model.playTracks(tracks, source);
    }),
  ),
  fc.tuple(anyIndex, anyIndex, fc.boolean()).map(([from, to, isQueued]) =>
    step(`moveInQueue(${from}, ${to}, ${isQueued})`, ({ bench, model }) => {
      bench.engine.editQueue((queue) => moveInQueue(queue, { from, to, isQueued }));
      model.moveInQueue(from, to, isQueued);
    }),
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
  fc.boolean().map((isDataSaver) =>
    step(`setDataSaver(${isDataSaver})`, ({ bench, model }) => {
      bench.engine.setDataSaver(isDataSaver);
      model.isDataSaver = isDataSaver;
    }),
  ),
  fc.constantFrom(0, 6, 12).map((seconds) =>
    step(`setCrossfade(${seconds})`, ({ bench, model }) => {
      bench.engine.setCrossfade(seconds);
      model.crossfadeSeconds = seconds;
    }),
  ),
  fc.constantFrom('end-of-track' as const, { minutes: 1 }, null).map((choice) =>
    step(`setSleepTimer(${JSON.stringify(choice)})`, ({ bench, model }) => {
      bench.engine.setSleepTimer(choice);
      model.sleepTimer =
        choice && choice !== 'end-of-track' ? model.now + choice.minutes * 60_000 : choice;
    }),
  ),
  fc.constantFrom(...COPIES).map((copy) =>
    step(`refreshTrack(${copy.id}, ${copy.access})`, ({ bench, model }) => {
      bench.engine.refreshTrack(copy);
      model.refreshTrack(copy);
    }),
  ),
  fc.constant(
    step('the page is reloaded', ({ bench, model }) => {
      const saved = parsePlayer(serializePlayer(bench.state(), 0));
      bench.engine.close();
      if (saved) bench.engine.restore(saved);
      model.reopen();
    }),
  ),
  fc.constant(
    step('the tab goes to the checkout and comes back', ({ bench, model }) => {
      const storage = createMemoryStorage();
      const isPreviewOver =
        !model.isSubscriber && model.track !== null && model.time >= PREVIEW_SECONDS;
      const isInterrupted = model.isActive || isPreviewOver;
      saveCheckoutHandoff(storage, bench.state(), 'user', 0);
      const handoff = popCheckoutHandoff(storage, 'user', 1);
      if (handoff && handoff.isInterrupted !== isInterrupted)
        throw new Error(`The handoff says isInterrupted: ${handoff.isInterrupted}.`);
      if (!handoff) return;
      bench.engine.close();
      bench.engine.restore(handoff.player);
      model.reopen();
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

const isLoaded = (model: PlayerModel) => model.file !== null;
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
      const isTriedElsewhere = isRefused && !model.fade && untried.has(output.generation);
      await output.rejectPlay(name);
      // The other output tries immediately, so nothing changes for the user.
      if (!isTriedElsewhere) model.playRejected(isRefused);
    },
  );
const connection = fc.boolean().map((isOnline) =>
  step(`· the connection is ${isOnline ? 'there' : 'lost'}`, ({ bench, model }) => {
    bench.device.isOnline = isOnline;
    model.isOnline = isOnline;
  }),
);
const isAwaitingCopy = ({ copyDeadline }: PlayerModel) => copyDeadline !== null;
const copied = outcome('a copy arrives', isAwaitingCopy, ({ bench, model }) => {
  const { track } = model;
  if (!track) return;
  bench.engine.refreshTrack(track);
  model.refreshTrack(track);
});
const passed = (ms: number) =>
  step(`· ${ms} ms pass`, ({ bench, model }) => {
    bench.clock.advance(ms);
    model.advance(ms);
  });
const previousEnded = outcome(
  'the previous track ends',
  ({ fadingFrom }) => fadingFrom !== null,
  ({ bench, output, model }) => {
    const previous = output === bench.output ? bench.spare : bench.output;
    previous.emit({ type: 'ended' });
    model.previousEnded();
  },
);
const startedElsewhere = step('· another tab starts', ({ bench, model, receiveMessage }) => {
  receiveMessage({ type: 'started', tab: 'other', at: bench.clock.now() + 1 });
  model.otherTabStarts();
});
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
/** An event of an older load must change nothing. */
const late = fc.tuple(fc.constantFrom(...LATE), fc.nat(20)).map(([event, back]) =>
  step(`· late ${event.type}`, ({ bench, output, model, generations }) => {
    const previous = output === bench.output ? bench.spare : bench.output;
    const older = generations.filter(
      (generation) =>
        (generation !== output.generation || !isLoaded(model)) &&
        !(model.fadingFrom && generation === previous.generation),
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
  { weight: 1, arbitrary: fc.constantFrom(1000, COPY_TIMEOUT_MS, 20_000).map(passed) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ended,
      failed,
      failed,
      copied,
      previousEnded,
      startedElsewhere,
      stalled,
      pausedByDevice,
      rejected('NotSupportedError'),
      rejected('NotAllowedError'),
    ),
  },
);

const eventsOf = ({ listeningEvents }: Bench, type: 'stopped' | 'finished') =>
  listeningEvents.flatMap((event) => {
    if (event.type !== type) return [];
    return event.type === 'stopped' ? [`${event.track.id} ${event.time}`] : [event.track.id];
  });

function describeEngine({ bench, output, model }: World) {
  const state = bench.state();
  return {
    track: state.currentTrack?.id,
    access: state.currentTrack?.access,
    queue: state.queue.map(({ id, access }) => `${id} ${access}`),
    index: state.currentTrackIndex,
    source: state.source,
    queuedIds: state.queuedIds.toSorted(),
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
    isDataSaver: state.isDataSaver,
    crossfadeSeconds: state.crossfadeSeconds,
    sleepTimer: state.sleepTimer?.kind === 'at' ? state.sleepTimer.endsAt : state.sleepTimer?.kind,
    starts: bench.starts(),
    stops: eventsOf(bench, 'stopped'),
    finishes: eventsOf(bench, 'finished'),
    previewEnds: bench.previewEnds,
    requests: bench.freshTrackRequests,
    failures: bench.failures,
    loadErrors: bench.logs.filter((message) => message.startsWith('Error playing')),
    // The device does what the state says.
    isAskedToPlay: output.isAskedToPlay,
    file: output.url,
    fileUrl: state.fileUrl,
    // While two files are mixed, crossfade.test.ts checks how loud each is.
    loudness: model.fade ? null : output.volume,
    // Only a crossfade plays two files, until its end.
    isMixing: bench.output.isAskedToPlay && bench.spare.isAskedToPlay,
  };
}

function describeModel({ model }: World): ReturnType<typeof describeEngine> {
  return {
    track: model.track?.id,
    access: model.track?.access,
    queue: model.queue.map(({ id, access }) => `${id} ${access}`),
    index: model.index,
    source: model.source,
    queuedIds: [...model.queuedIds].toSorted(),
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
    isDataSaver: model.isDataSaver,
    crossfadeSeconds: model.crossfadeSeconds,
    sleepTimer: model.sleepTimer ?? undefined,
    starts: model.starts,
    stops: model.stops,
    finishes: model.finishes,
    previewEnds: model.previewEnds,
    requests: model.requests,
    failures: model.failures,
    loadErrors: model.loadErrors,
    isAskedToPlay: model.isActive && model.file !== null,
    file: model.file,
    fileUrl: model.file,
    loudness: model.fade ? null : model.volume,
    isMixing: model.fade !== null && !model.fade.isPreviousOver,
  };
}

/** The output that plays the file; of two with the same one, that is the later load. */
function findOutput({ bench, model, output }: World): Bench['output'] {
  const holders = [bench.output, bench.spare].filter(({ url }) => url === model.file);
  if (model.file === null || holders.length === 0) return output;
  return holders.reduce((one, other) => (other.generation > one.generation ? other : one));
}

async function runSteps(steps: readonly Step[]): Promise<void> {
  const bench = createEngineBench();
  const callbacks: ((event: { data: unknown }) => void)[] = [];
  watchSleepTimer(bench.engine, bench.clock);
  pauseOtherTabs({
    ...bench.engine,
    clock: bench.clock,
    tab: 'this',
    channel: {
      postMessage: () => {},
      addEventListener: (_, callback) => void callbacks.push(callback),
      close: () => {},
    },
  });
  const world: World = {
    bench,
    model: new PlayerModel(bench.clock.now()),
    output: bench.output,
    generations: [],
    untried: new Set(),
    receiveMessage: (data) => callbacks.forEach((callback) => callback({ data })),
  };
  for (const { run } of steps) {
    await run(world);
    await settle();
    world.output = findOutput(world);
    const { generation } = world.output;
    if (!world.generations.includes(generation)) world.generations.push(generation);
    expect(describeEngine(world)).toEqual(describeModel(world));
  }
  bench.engine.dispose();
}

/** Crossfades need a subscriber, a queue and a track near its end: too rare in steps drawn at random. */
const playNearEnd: Step[] = [
  step('setSubscriber(true)', ({ bench, model }) => {
    bench.engine.setSubscriber(true);
    model.setSubscriber(true);
  }),
  step('setCrossfade(12)', ({ bench, model }) => {
    bench.engine.setCrossfade(12);
    model.crossfadeSeconds = 12;
  }),
  step('playTracks(full, other, full)', ({ bench, model }) => {
    const tracks = [0, 1, 0].flatMap((index) => TRACKS[index] ?? []);
    bench.engine.playTracks(tracks);
    model.playTracks(tracks, null);
  }),
  metadata,
  started,
];

describe('the engine', () => {
  const anyStep = fc.oneof(anyCommand, anyOutcome);

  it('does what the specification says, whatever the user and the audio do', async () => {
    const anySteps = fc.array(anyStep, { maxLength: 60, size: 'max' });
    await fc.assert(fc.asyncProperty(anySteps, runSteps));
  });

  it('does so around a crossfade, too', async () => {
    const nearby = fc.constantFrom(289, 295, 299).map((time) =>
      outcome(`reaches ${time}`, isReady, ({ output, model }) => {
        output.emit({ type: 'timeupdate', time });
        model.reached(time);
      }),
    );
    const anySteps = fc.array(fc.oneof(nearby, anyStep, anyOutcome), {
      maxLength: 25,
      size: 'max',
    });
    const allSteps = anySteps.map((steps) => [...playNearEnd, ...steps]);
    await fc.assert(fc.asyncProperty(allSteps, runSteps));
  });
});
