import type { AudioEvent, AudioOutput } from './audio-output.ts';
import type { Clock } from './clock.ts';
import { createFade, type Fade } from './crossfade.ts';

export type DeckEvent = AudioEvent | { type: 'play-failed'; cause: unknown };

type DeckOptions = {
  output: AudioOutput;
  /** The second output that a crossfade needs. */
  spare: AudioOutput | null;
  clock: Clock;
  onEvent(event: DeckEvent): void;
};

export type Deck = ReturnType<typeof createDeck>;

/**
 * One file at a time. Whatever an earlier load or an earlier attempt to play still has to say is
 * dropped here, so that nobody above has to think of races.
 */
export function createDeck({ output, spare, clock, onEvent }: DeckOptions) {
  let active = output;
  let resting = spare;
  let generation = 0;
  let attempt = 0;
  let isLoaded = false;
  let hasMetadata = false;
  let pendingSeek: number | null = null;
  let volume = 1;
  let url = '';
  let fade: Fade | null = null;
  let canFade = spare !== null && output.canFade && spare.canFade;

  const receive = (event: AudioEvent, ofLoad: number) => {
    if (!isLoaded || ofLoad !== generation) return;
    if (event.type === 'playing') fade?.begin();
    if (event.type === 'loadedmetadata') {
      hasMetadata = true;
      if (pendingSeek !== null) active.seek(pendingSeek);
      pendingSeek = null;
    }
    onEvent(event);
  };
  const outputs = spare ? [output, spare] : [output];
  const unlisten = outputs.map((each) => each.listen(receive));

  function openFile(file: string, startAt: number): void {
    url = file;
    generation += 1;
    attempt += 1;
    isLoaded = true;
    hasMetadata = false;
    pendingSeek = startAt > 0 ? startAt : null;
    active.load(url, generation);
  }

  function endFade(): void {
    const ended = fade;
    fade = null;
    ended?.finish();
  }

  function play(): void {
    attempt += 1;
    const mine = attempt;
    active.play().catch((cause: unknown) => {
      if (mine !== attempt) return;
      if (fade) playWithoutFade();
      else onEvent({ type: 'play-failed', cause });
    });
  }

  /** Some browsers start only the output that the listener's own gesture has started before. */
  function playWithoutFade(): void {
    endFade();
    canFade = false;
    if (resting) [active, resting] = [resting, active];
    resting?.unload();
    active.setVolume(volume);
    openFile(url, 0);
    play();
  }

  return {
    isLoaded: () => isLoaded,
    canFade: () => canFade,
    load(file: string, startAt = 0): void {
      endFade();
      openFile(file, startAt);
    },
    /** Lets the playing file run on while the next one rises over it. */
    fadeTo(file: string, seconds: number): void {
      endFade();
      if (!resting) return openFile(file, 0);
      [active, resting] = [resting, active];
      const [incoming, outgoing] = [active, resting];
      fade = createFade({ incoming, outgoing, seconds, clock, volume: () => volume });
      openFile(file, 0);
    },
    unload(): void {
      endFade();
      attempt += 1;
      isLoaded = false;
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
