import { useEffect, useState, useSyncExternalStore, type RefObject } from 'react';

/** Long enough to catch the next letter, too short to notice. */
const DEBOUNCE_MS = 120;

type InputRef = RefObject<HTMLInputElement | null>;

const subscribeTo =
  (input: InputRef) =>
  (onChange: () => void): (() => void) => {
    const controller = new AbortController();
    for (const name of ['input', 'focus'] as const)
      input.current?.addEventListener(name, onChange, { signal: controller.signal });
    return () => controller.abort();
  };

/** The trimmed text of the input: as typed, and debounced. */
export function useTypedText(input: InputRef) {
  const [subscribe] = useState(() => subscribeTo(input));
  // useSyncExternalStore reads again after subscribing, in case someone typed before.
  const typed = useSyncExternalStore(subscribe, () => input.current?.value.trim() ?? '');
  const [debounced, setDebounced] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(typed), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return { typed, debounced: typed === '' ? '' : debounced };
}
