import type { AudioEvent, AudioCallback, AudioOutput, FindAddress } from './audio-output.ts';

const EVENTS = [
  'loadstart',
  'loadedmetadata',
  'durationchange',
  'timeupdate',
  'playing',
  'pause',
  'waiting',
  'canplay',
  'ended',
  'error',
] as const;

/** A plain audio element, which keeps playing on a locked phone. */
export function createElementOutput(element: HTMLAudioElement = new Audio()): AudioOutput {
  const callbacks = new Set<AudioCallback>();
  let generation = 0;
  // Events queued by an earlier file arrive before the `loadstart` of the next one.
  let hasStarted = false;
  let file = '';
  let findAddress: FindAddress | null = null;
  /** While the address of a file is looked up, nothing can play. */
  let opening: Promise<void> | null = null;
  let isPlayWanted = false;

  const emit = (event: AudioEvent) => {
    for (const callback of callbacks) callback(event, generation);
  };
  const onEvent = ({ type }: Event) => {
    if (type === 'loadstart') hasStarted = generation !== 0;
    if (!hasStarted) return;
    const event = readEvent(element, type);
    if (event) emit(event);
  };
  for (const type of EVENTS) element.addEventListener(type, onEvent);
  element.preload = 'metadata';

  function open(): void {
    opening = null;
    hasStarted = false;
    if (!findAddress) {
      element.src = file;
      return;
    }
    const looking = findAddress(file).then(
      (address) => {
        if (opening !== looking) return;
        opening = null;
        element.src = address;
      },
      (error: unknown) => {
        if (opening === looking) emit({ type: 'error', reason: String(error) });
      },
    );
    opening = looking;
  }

  async function playOnceOpen(): Promise<void> {
    isPlayWanted = true;
    await opening;
    if (isPlayWanted) await element.play();
  }

  async function reload(): Promise<void> {
    const { currentTime, paused } = element;
    const mine = generation;
    if (mine === 0) return;
    isPlayWanted = !paused;
    element.pause();
    open();
    await opening;
    if (mine !== generation) return;
    element.currentTime = currentTime;
    if (isPlayWanted) await element.play();
  }

  function unload(): void {
    generation = 0;
    opening = null;
    hasStarted = false;
    element.pause();
    element.removeAttribute('src');
    element.load();
  }

  return {
    castable: {
      element,
      setFindAddress: (find) => (findAddress = find),
      reload,
    },
    canFade: canSetVolume(element),
    load(url, nextGeneration) {
      element.pause();
      generation = nextGeneration;
      file = url;
      open();
    },
    unload,
    // Waits only if it must: phones allow sound only within the user's gesture.
    play: () => (opening ? playOnceOpen() : element.play()),
    pause() {
      isPlayWanted = false;
      element.pause();
    },
    seek(seconds) {
      element.currentTime = seconds;
    },
    setVolume(volume) {
      element.volume = volume;
      element.muted = volume === 0;
    },
    subscribe(callback) {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    dispose() {
      callbacks.clear();
      for (const type of EVENTS) element.removeEventListener(type, onEvent);
      unload();
    },
  };
}

/** Null if the element's state has changed again by the time the event is delivered. */
function readEvent(element: HTMLAudioElement, type: string): AudioEvent | null {
  switch (type) {
    case 'loadedmetadata':
    case 'durationchange':
      return { type, duration: element.duration };
    case 'timeupdate':
      return { type, time: element.currentTime };
    case 'playing':
      return element.paused ? null : { type };
    case 'pause':
      // At its end an element pauses first; `ended` is what matters then.
      return element.paused && !element.ended ? { type: 'paused' } : null;
    case 'waiting':
    case 'canplay':
    case 'ended':
      return { type };
    case 'error':
      return readError(element.error);
    default:
      return null;
  }
}

/** What Firefox says where there are no speakers or headphones. Other browsers play on in silence. */
const NO_DEVICE = /OnMediaSinkAudioError/;

function readError(error: MediaError | null): AudioEvent {
  const reason = error?.message || `media error ${error?.code}`;
  return { type: 'error', reason, ...(NO_DEVICE.test(reason) && { hasNoDevice: true }) };
}

function canSetVolume(element: HTMLAudioElement): boolean {
  const before = element.volume;
  element.volume = 0.5;
  const isSet = element.volume === 0.5;
  element.volume = before;
  return isSet;
}
