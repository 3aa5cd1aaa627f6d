import type { AudioEvent, AudioOutput, CastableOutput } from './audio-output.ts';
import type { Clock } from '#web/player/clock.ts';
import { createFade, type Fade } from './crossfade.ts';

/** The browser requires a gesture of the user first. */
const isRefusal = (cause: unknown): boolean =>
  cause instanceof Error && cause.name === 'NotAllowedError';

/** After these events a file makes no more sound. */
const ENDINGS: ReadonlySet<string> = new Set(['ended', 'paused', 'error']);

export type DeckEvent =
  | AudioEvent
  | { type: 'playFailed'; cause: unknown }
  /** The next file can't be played, and the previous one plays on. */
  | { type: 'crossfadeFailed' };

export type DeckOptions = {
  output: AudioOutput;
  /** The second output: a crossfade needs it, and the file that is likely to be next waits in it. */
  spare: AudioOutput | null;
  clock: Clock;
  onEvent(event: DeckEvent): void;
};

/** The file of the active output. */
type ActiveFile = {
  readonly url: string;
  /** The load that its events belong to. */
  readonly generation: number;
  /** The second it was last sent to. */
  position: number;
  /** Before its metadata is known a file can't be sent anywhere: the seek waits. */
  metadata: { isKnown: true } | { isKnown: false; seekTo: number | null };
  /** It was prepared in an output that no gesture of the user has started yet. */
  isUntried: boolean;
};

/** What the other output does in the meantime. */
type Resting =
  | { readonly kind: 'empty' }
  /** It has loaded the beginning of a file that is likely to be next. */
  | {
      readonly kind: 'prepared';
      readonly url: string;
      readonly generation: number;
      duration: number | null;
    }
  /** It plays the end of the previous file, which can come back until the next one starts. */
  | { readonly kind: 'fadingOut'; readonly fade: Fade; previous: ActiveFile | null };

const EMPTY: Resting = { kind: 'empty' };

/**
 * One file at a time, with a second output at rest. Whatever an earlier load or an earlier request to
 * play still reports is dropped here, so that the state machine above never sees a late event.
 */
export function createDeck({ output, spare, clock, onEvent }: DeckOptions) {
  let activeOutput = output;
  let restingOutput = spare;
  let active: ActiveFile | null = null;
  let resting: Resting = EMPTY;
  let lastGeneration = 0;
  let attempt = 0;
  let volume = 1;
  let canPrepare = spare !== null;
  let canCrossfade = spare !== null && output.canFade && spare.canFade;
  /** Another device plays what the active output loads, so nothing may go to the other one. */
  let isCasting = false;

  function receive(event: AudioEvent, generation: number): void {
    if (resting.kind === 'prepared' && resting.generation === generation)
      return receivePrepared(resting, event);
    if (resting.kind === 'fadingOut' && resting.previous?.generation === generation)
      return receivePrevious(resting, event);
    if (active?.generation === generation) receiveActive(active, event);
  }

  function receivePrepared(file: Resting & { kind: 'prepared' }, event: AudioEvent): void {
    if (event.type === 'loadedmetadata') file.duration = event.duration;
    // Whatever is wrong with it is reported when it is really played.
    if (event.type === 'error') dropPrepared();
  }

  function receivePrevious(fading: Resting & { kind: 'fadingOut' }, event: AudioEvent): void {
    if (ENDINGS.has(event.type)) fading.previous = null;
  }

  function receiveActive(file: ActiveFile, event: AudioEvent): void {
    const previous = resting.kind === 'fadingOut' ? resting.previous : null;
    if (event.type === 'error' && previous) return returnTo(previous);
    if (event.type === 'playing') {
      file.isUntried = false;
      if (resting.kind === 'fadingOut') {
        resting.previous = null;
        resting.fade.begin();
      }
    }
    if (event.type === 'loadedmetadata') {
      const { metadata } = file;
      file.metadata = { isKnown: true };
      if (!metadata.isKnown && metadata.seekTo !== null) activeOutput.seek(metadata.seekTo);
    }
    onEvent(event);
  }

  const outputs = spare ? [output, spare] : [output];
  const unsubscribe = outputs.map((each) => each.subscribe(receive));

  function dropPrepared(): void {
    if (resting.kind !== 'prepared') return;
    restingOutput?.unload();
    resting = EMPTY;
  }

  function endFade(): void {
    if (resting.kind === 'fadingOut') resting.fade.finish();
  }

  function swapOutputs(): void {
    if (restingOutput) [activeOutput, restingOutput] = [restingOutput, activeOutput];
  }

  /** Makes the other output the active one and empties this one. */
  function switchOutputs(): void {
    resting = EMPTY;
    swapOutputs();
    restingOutput?.unload();
    activeOutput.setVolume(volume);
  }

  function nextGeneration(): number {
    lastGeneration += 1;
    return lastGeneration;
  }

  function setActive(url: string, generation: number, startAt: number, isUntried: boolean): void {
    attempt += 1;
    const metadata = { isKnown: false, seekTo: startAt > 0 ? startAt : null } as const;
    active = { url, generation, position: startAt, metadata, isUntried };
  }

  function openFile(url: string, startAt: number): void {
    const generation = nextGeneration();
    setActive(url, generation, startAt, false);
    activeOutput.load(url, generation);
  }

  /** The active output has the file already; its metadata is reported again. */
  function openPrepared(file: Resting & { kind: 'prepared' }, startAt: number): void {
    const { url, generation, duration } = file;
    setActive(url, generation, startAt, true);
    if (duration === null) return;
    // Like every event: after the caller is done.
    queueMicrotask(() => receive({ type: 'loadedmetadata', duration }, generation));
  }

  function play(): void {
    attempt += 1;
    const mine = attempt;
    activeOutput.play().catch((cause: unknown) => {
      if (mine === attempt) receiveRejection(cause);
    });
  }

  function receiveRejection(cause: unknown): void {
    if (resting.kind === 'fadingOut') {
      if (resting.previous && !isRefusal(cause)) return returnTo(resting.previous);
      endFade();
      canCrossfade = false;
      playInOther();
    } else if (active?.isUntried && isRefusal(cause)) playInOther();
    else onEvent({ type: 'playFailed', cause });
  }

  /** The previous file was not turned down yet: it plays on as if nothing had happened. */
  function returnTo(previous: ActiveFile): void {
    if (resting.kind === 'fadingOut') resting.fade.cancel();
    switchOutputs();
    attempt += 1;
    active = previous;
    onEvent({ type: 'crossfadeFailed' });
  }

  /** Some browsers start only the output that the user's own gesture has started before. */
  function playInOther(): void {
    canPrepare = false;
    switchOutputs();
    if (active) openFile(active.url, active.position);
    play();
  }

  return {
    isLoaded: () => active !== null,
    canCrossfade: () => canCrossfade && !isCasting,
    listCastable: (): CastableOutput[] => outputs.flatMap(({ castable }) => castable ?? []),
    findCastable: (): CastableOutput | undefined => activeOutput.castable,
    setCasting(next: boolean): void {
      isCasting = next;
      if (!next) return;
      endFade();
      dropPrepared();
    },
    /** Loads the beginning of a file into the resting output, replacing what was prepared before. */
    prepare(url: string): void {
      const isHere = (resting.kind === 'prepared' && resting.url === url) || active?.url === url;
      const isBusy = isCasting || resting.kind === 'fadingOut';
      if (!restingOutput || !canPrepare || isHere || isBusy) return;
      const generation = nextGeneration();
      resting = { kind: 'prepared', url, generation, duration: null };
      restingOutput.load(url, generation);
    },
    load(url: string, startAt = 0): void {
      endFade();
      if (resting.kind !== 'prepared' || resting.url !== url) return openFile(url, startAt);
      const prepared = resting;
      switchOutputs();
      openPrepared(prepared, startAt);
    },
    /** Lets the playing file run on while the next one rises over it. */
    crossfadeTo(url: string, seconds: number): void {
      endFade();
      if (!restingOutput) return openFile(url, 0);
      const [incoming, outgoing] = [restingOutput, activeOutput];
      const ready = resting;
      swapOutputs();
      const fade = createFade({
        incoming,
        outgoing,
        seconds,
        clock,
        volume: () => volume,
        onFinish: () => (resting = EMPTY),
      });
      resting = { kind: 'fadingOut', fade, previous: active };
      if (ready.kind === 'prepared' && ready.url === url) openPrepared(ready, 0);
      else openFile(url, 0);
    },
    unload(): void {
      endFade();
      dropPrepared();
      attempt += 1;
      active = null;
      activeOutput.unload();
    },
    play,
    pause(): void {
      endFade();
      attempt += 1;
      activeOutput.pause();
    },
    seek(seconds: number): void {
      endFade();
      if (!active) return;
      active.position = seconds;
      if (active.metadata.isKnown) activeOutput.seek(seconds);
      else active.metadata.seekTo = seconds;
    },
    setVolume(next: number): void {
      volume = next;
      if (resting.kind === 'fadingOut') resting.fade.apply();
      else activeOutput.setVolume(next);
    },
    dispose(): void {
      endFade();
      active = null;
      for (const stop of unsubscribe) stop();
      for (const each of outputs) each.dispose();
    },
  };
}
