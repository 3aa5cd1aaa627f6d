import { useEffect, useRef, type RefObject } from 'react';
import { useIsRendered } from '#web/lib/format/now.ts';

/**
 * Passes on what someone chose before the page came alive: the browser shows it, and React doesn't
 * notice. The ref is for what contains the radio buttons or options.
 */
export function useEarlyChoice<Element extends HTMLElement, Value extends string>(
  value: Value,
  onChoice: (value: Value) => void,
): RefObject<Element | null> {
  const control = useRef<Element>(null);
  const isChecked = useRef(!useIsRendered());
  useEffect(() => {
    if (isChecked.current) return;
    isChecked.current = true;
    const chosen = control.current?.querySelector<HTMLOptionElement>(':checked')?.value;
    if (chosen !== undefined && chosen !== value) onChoice(chosen as Value);
  }, [value, onChoice]);
  return control;
}
