import { useEffect, useState, useSyncExternalStore, type RefObject } from 'react';

/** Long enough for the next letter of somebody who types, too short to be noticed. */
const PAUSE_MS = 120;

type InputRef = RefObject<HTMLInputElement | null>;

const listenTo =
  (input: InputRef) =>
  (onChange: () => void): (() => void) => {
    const listening = new AbortController();
    for (const name of ['input', 'focus'] as const)
      input.current?.addEventListener(name, onChange, { signal: listening.signal });
    return () => listening.abort();
  };

/** What stands in the input, trimmed: now, and as soon as typing has paused. */
export function useTypedText(input: InputRef) {
  const [subscribe] = useState(() => listenTo(input));
  // Read again once it is listened to: letters can be typed before.
  const typed = useSyncExternalStore(subscribe, () => input.current?.value.trim() ?? '');
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return { typed, settled: typed === '' ? '' : settled };
}
