import type { AudioEvent, AudioCallback, AudioOutput } from './audio-output.ts';

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

  const onEvent = ({ type }: Event) => {
    if (type === 'loadstart') hasStarted = generation !== 0;
    if (!hasStarted) return;
    const event = readEvent(element, type);
    if (event) for (const callback of callbacks) callback(event, generation);
  };
  for (const type of EVENTS) element.addEventListener(type, onEvent);
  element.preload = 'metadata';

  function unload(): void {
    generation = 0;
    hasStarted = false;
    element.pause();
    element.removeAttribute('src');
    element.load();
  }

  return {
    canFade: canSetVolume(element),
    load(url, nextGeneration) {
      element.pause();
      generation = nextGeneration;
      hasStarted = false;
      element.src = url;
    },
    unload,
    play: () => element.play(),
    pause: () => element.pause(),
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
      return { type, reason: element.error?.message || `media error ${element.error?.code}` };
    default:
      return null;
  }
}

function canSetVolume(element: HTMLAudioElement): boolean {
  const before = element.volume;
  element.volume = 0.5;
  const isSet = element.volume === 0.5;
  element.volume = before;
  return isSet;
}
