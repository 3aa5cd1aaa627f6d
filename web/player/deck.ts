import type { AudioEvent, AudioOutput } from './audio-output.ts';
import type { Clock } from './clock.ts';
import { createFade, type Fade } from './crossfade.ts';

/** The browser wants a gesture of the listener first. */
const isRefusal = (cause: unknown): boolean =>
  cause instanceof Error && cause.name === 'NotAllowedError';

/** After these a file does not sound any more. */
const OVER: ReadonlySet<string> = new Set(['ended', 'paused', 'error']);

export type DeckEvent =
  | AudioEvent
  | { type: 'playFailed'; cause: unknown }
  /** The next file cannot be played, and the one before it plays on. */
  | { type: 'crossfadeFailed' };

type DeckOptions = {
  output: AudioOutput;
  /** The second output: a crossfade needs it, and a file that is likely to be next waits in it. */
  spare: AudioOutput | null;
  clock: Clock;
  onEvent(event: DeckEvent): void;
};

/** A file that waits in the resting output, and its length once that is known. */
type Prepared = { url: string; generation: number; duration: number | null };

/** A file that plays on until the next one sounds. */
type Leaving = { url: string; generation: number; place: number };

export type Deck = ReturnType<typeof createDeck>;

/**
 * One file at a time. Whatever an earlier load or an earlier attempt to play still has to say is
 * dropped here, so that nobody above has to think of races.
 */
export function createDeck({ output, spare, clock, onEvent }: DeckOptions) {
  let active = output;
  let resting = spare;
  let lastGeneration = 0;
  let generation = 0;
  let prepared: Prepared | null = null;
  /** What plays was prepared, in an output that no gesture of the listener has started yet. */
  let isUntried = false;
  let canPrepare = spare !== null;
  let attempt = 0;
  let isLoaded = false;
  let hasMetadata = false;
  let pendingSeek: number | null = null;
  /** Where the file was last told to be. */
  let place = 0;
  let volume = 1;
  let url = '';
  let fade: Fade | null = null;
  let leaving: Leaving | null = null;
  let canFade = spare !== null && output.canFade && spare.canFade;

  const receive = (event: AudioEvent, ofLoad: number) => {
    if (prepared?.generation === ofLoad) return receivePrepared(prepared, event);
    if (leaving?.generation === ofLoad && OVER.has(event.type)) leaving = null;
    if (!isLoaded || ofLoad !== generation) return;
    if (event.type === 'error' && leaving) return playOn(leaving);
    if (event.type === 'playing') {
      leaving = null;
      isUntried = false;
      fade?.begin();
    }
    if (event.type === 'loadedmetadata') {
      hasMetadata = true;
      if (pendingSeek !== null) active.seek(pendingSeek);
      pendingSeek = null;
    }
    onEvent(event);
  };
  const outputs = spare ? [output, spare] : [output];
  const unlisten = outputs.map((each) => each.subscribe(receive));

  function receivePrepared(file: Prepared, event: AudioEvent): void {
    if (event.type === 'loadedmetadata') file.duration = event.duration;
    // Whatever is wrong with it is told when it is really played.
    if (event.type === 'error') dropPrepared();
  }

  function dropPrepared(): void {
    if (prepared) resting?.unload();
    prepared = null;
  }

  function changePlaces(): void {
    if (resting) [active, resting] = [resting, active];
  }

  function beginFile(file: string, startAt: number, ofLoad: number): void {
    url = file;
    generation = ofLoad;
    attempt += 1;
    isLoaded = true;
    isUntried = false;
    hasMetadata = false;
    place = startAt;
    pendingSeek = startAt > 0 ? startAt : null;
  }

  function openFile(file: string, startAt: number): void {
    lastGeneration += 1;
    beginFile(file, startAt, lastGeneration);
    active.load(file, generation);
  }

  /** The active output holds the file already; what it has told of it is told again. */
  function openPrepared(file: Prepared, startAt: number): void {
    prepared = null;
    beginFile(file.url, startAt, file.generation);
    isUntried = true;
    const { duration } = file;
    if (duration === null) return;
    // Like every event: after the one who loads is done.
    queueMicrotask(() => receive({ type: 'loadedmetadata', duration }, file.generation));
  }

  function endFade(): void {
    const ended = fade;
    fade = null;
    leaving = null;
    ended?.finish();
  }

  function play(): void {
    attempt += 1;
    const mine = attempt;
    active.play().catch((cause: unknown) => {
      if (mine !== attempt) return;
      if (leaving && !isRefusal(cause)) playOn(leaving);
      else if (fade) playWithoutFade();
      else if (isUntried && isRefusal(cause)) playInOther();
      else onEvent({ type: 'playFailed', cause });
    });
  }

  /** Nothing was turned down yet: a file that cannot be played takes nothing from the one that is. */
  function playOn(file: Leaving): void {
    fade = null;
    leaving = null;
    changePlaces();
    resting?.unload();
    beginFile(file.url, file.place, file.generation);
    hasMetadata = true;
    pendingSeek = null;
    active.setVolume(volume);
    onEvent({ type: 'crossfadeFailed' });
  }

  /** Some browsers start only the output that the listener's own gesture has started before. */
  function playWithoutFade(): void {
    endFade();
    canFade = false;
    playInOther();
  }

  function playInOther(): void {
    canPrepare = false;
    prepared = null;
    changePlaces();
    resting?.unload();
    active.setVolume(volume);
    openFile(url, place);
    play();
  }

  return {
    isLoaded: () => isLoaded,
    canCrossfade: () => canFade,
    /** Fetches the beginning of a file into the resting output, in place of what waited there. */
    prepare(file: string): void {
      const isHere = prepared?.url === file || (isLoaded && url === file);
      if (!resting || !canPrepare || isHere || (fade && !fade.isFinished())) return;
      lastGeneration += 1;
      prepared = { url: file, generation: lastGeneration, duration: null };
      resting.load(file, lastGeneration);
    },
    load(file: string, startAt = 0): void {
      endFade();
      if (prepared?.url !== file) return openFile(file, startAt);
      changePlaces();
      resting?.unload();
      active.setVolume(volume);
      openPrepared(prepared, startAt);
    },
    /** Lets the playing file run on while the next one rises over it. */
    crossfadeTo(file: string, seconds: number): void {
      endFade();
      if (!resting) return openFile(file, 0);
      const [incoming, outgoing] = [resting, active];
      changePlaces();
      leaving = { url, generation, place };
      fade = createFade({ incoming, outgoing, seconds, clock, volume: () => volume });
      const ready = prepared;
      prepared = null;
      if (ready?.url === file) openPrepared(ready, 0);
      else openFile(file, 0);
    },
    unload(): void {
      endFade();
      dropPrepared();
      attempt += 1;
      isLoaded = false;
      hasMetadata = false;
      active.unload();
    },
    play,
    pause(): void {
      endFade();
      attempt += 1;
      active.pause();
    },
    seek(seconds: number): void {
      endFade();
      place = seconds;
      if (hasMetadata) active.seek(seconds);
      else pendingSeek = seconds;
    },
    setVolume(next: number): void {
      volume = next;
      if (fade) fade.apply();
      else active.setVolume(next);
    },
    dispose(): void {
      endFade();
      isLoaded = false;
      for (const stop of unlisten) stop();
      for (const each of outputs) each.dispose();
    },
  };
}
