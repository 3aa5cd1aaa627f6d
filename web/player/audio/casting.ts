import { call } from '#web/lib/api/api.ts';
import { createStore, type Store } from '#web/lib/store/store.ts';
import type { CastableOutput } from './audio-output.ts';
import type { Engine } from '#web/player/engine.ts';

type CastState = {
  /** A speaker or a television is in reach. */
  isAvailable: boolean;
  isCasting: boolean;
};

export type Casting = {
  store: Store<CastState>;
  /** Lets the user choose a device, or end casting. Call it when they press a button. */
  prompt(): Promise<void>;
};

/** The browser's own way to play an element on another device. */
type Remote = {
  watchAvailability(callback: (isAvailable: boolean) => void): void;
  watchConnection(callback: () => void): void;
  isConnected(): boolean;
  prompt(): Promise<void>;
};

/** Only in Safari. */
type AirPlayElement = HTMLAudioElement & {
  webkitShowPlaybackTargetPicker(): void;
  webkitCurrentPlaybackTargetIsWireless?: boolean;
};

const hasAirPlay = (element: HTMLAudioElement): element is AirPlayElement =>
  'webkitShowPlaybackTargetPicker' in element;

const createAirPlay = (element: AirPlayElement): Remote => ({
  watchAvailability: (callback) =>
    element.addEventListener('webkitplaybacktargetavailabilitychanged', (event) =>
      callback((event as Event & { availability?: string }).availability === 'available'),
    ),
  watchConnection: (callback) =>
    element.addEventListener('webkitcurrentplaybacktargetiswirelesschanged', callback),
  isConnected: () => element.webkitCurrentPlaybackTargetIsWireless === true,
  prompt: async () => element.webkitShowPlaybackTargetPicker(),
});

const createRemotePlayback = ({ remote }: HTMLAudioElement): Remote => ({
  watchAvailability: (onChange) =>
    void remote
      .watchAvailability(onChange)
      // A device that can't watch can still ask.
      .catch((error: unknown) => isNamed(error, 'NotSupportedError') && onChange(true)),
  watchConnection(callback) {
    for (const type of ['connecting', 'connect', 'disconnect'])
      remote.addEventListener(type, callback);
  },
  isConnected: () => remote.state !== 'disconnected',
  prompt: () => remote.prompt(),
});

function createRemote(element: HTMLAudioElement): Remote | null {
  if (hasAirPlay(element)) return createAirPlay(element);
  return 'remote' in element ? createRemotePlayback(element) : null;
}

const isNamed = (error: unknown, ...names: string[]): boolean =>
  error instanceof Error && names.includes(error.name);

/** Null if the user changed their mind. */
function describeProblem(error: unknown): string | null {
  if (isNamed(error, 'NotAllowedError', 'AbortError')) return null;
  if (isNamed(error, 'NotFoundError')) return 'No speaker or TV was found in your network.';
  if (isNamed(error, 'NotSupportedError')) return 'Your speaker or TV can’t play this mix.';
  return 'Couldn’t play on the other device. Please try again.';
}

const FULL_TRACK = /^\/media\/tracks\/([^/]+)\/(stream|dataSaver)(?:\?|$)/;

/** The other device has none of our cookies, so it needs an address of its own. Previews are public. */
async function findCastAddress(url: string): Promise<string> {
  const [, id, rendition] = FULL_TRACK.exec(url) ?? [];
  if (id === undefined) return url;
  const params = { id: decodeURIComponent(id) };
  const body = { rendition: rendition as 'stream' | 'dataSaver' };
  return (await call('POST /api/tracks/:id/cast', { params, body })).url;
}

/**
 * Plays the active output on another device. While it does, everything loads in that output: no
 * crossfade, and nothing is prepared in the other one.
 */
export function createCasting(
  { casting: deck }: Pick<Engine, 'casting'>,
  /** Says in a sentence why it didn't work. */
  onProblem: (sentence: string) => void,
  findAddress = findCastAddress,
): Casting {
  const store = createStore<CastState>({ isAvailable: false, isCasting: false });
  const remotes = new Map<CastableOutput, Remote>();
  const available = new Set<CastableOutput>();
  /** An address that the other device can load. */
  let readyAddress = '';

  const change = (next: Partial<CastState>) => store.set({ ...store.get(), ...next });
  const report = (error: unknown) => {
    const problem = describeProblem(error);
    if (problem) onProblem(problem);
  };

  async function getReady(output: CastableOutput): Promise<void> {
    deck.setCasting(true);
    output.setFindAddress(findAddress);
    if (output.element.src === readyAddress) return;
    await output.reload();
    readyAddress = output.element.src;
  }

  function release(output: CastableOutput): void {
    output.setFindAddress(null);
    deck.setCasting(false);
  }

  async function update(output: CastableOutput): Promise<void> {
    const isCasting = remotes.get(output)?.isConnected() ?? false;
    change({ isCasting });
    if (!isCasting) return release(output);
    // Also when it began in the browser's own menu.
    await getReady(output).catch(report);
  }

  for (const output of deck.listCastable()) {
    const remote = createRemote(output.element);
    if (!remote) continue;
    remotes.set(output, remote);
    remote.watchAvailability((isAvailable) => {
      if (isAvailable) available.add(output);
      else available.delete(output);
      change({ isAvailable: available.size > 0 });
    });
    remote.watchConnection(() => void update(output));
  }

  return {
    store,
    async prompt() {
      const output = deck.findCastable();
      const remote = output && remotes.get(output);
      if (!output || !remote) return;
      try {
        if (!remote.isConnected()) await getReady(output);
        await remote.prompt();
      } catch (error) {
        report(error);
      }
      if (!remote.isConnected()) release(output);
    },
  };
}
