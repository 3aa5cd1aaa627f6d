import { useCallback, useEffect, useEffectEvent, useState, type RefObject } from 'react';

type Combobox = {
  input: RefObject<HTMLInputElement | null>;
  listId: string;
  /** The number of options. Without any, the list is hidden. */
  count: number;
  onPick: (index: number) => void;
};

export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

/**
 * Keyboard and ARIA roles of a combobox whose list loads after its input. The focus stays in the
 * input, which names the active option.
 */
export function useCombobox({ input, listId, count, onPick }: Combobox) {
  const [isRequested, setRequested] = useState(() => document.activeElement === input.current);
  const [active, setActive] = useState(-1);
  const isOpen = isRequested && count > 0;
  const activeIndex = isOpen && active < count ? active : -1;

  const show = useCallback((isShown: boolean) => {
    setRequested(isShown);
    setActive(-1);
  }, []);

  function move(to: number): void {
    setRequested(true);
    setActive(count > 0 ? (to + count) % count : -1);
  }

  /** Returns true if the list used the key. */
  function handleKey(key: string): boolean {
    const isActive = activeIndex >= 0;
    if (key === 'ArrowDown') move(isOpen ? activeIndex + 1 : 0);
    else if (key === 'ArrowUp') move(activeIndex > 0 ? activeIndex - 1 : count - 1);
    else if (key === 'Home' && isActive) move(0);
    else if (key === 'End' && isActive) move(count - 1);
    else if (key === 'Enter' && isActive) onPick(activeIndex);
    else if (key === 'Escape' && isOpen) show(false);
    else return false;
    return true;
  }

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    if (!handleKey(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  });

  // Not again while it is open: every letter would render the list before the browser shows it.
  const open = useEffectEvent(() => {
    if (!isRequested || active >= 0) show(true);
  });

  // Subscribes once: doing so on each render would miss the event that caused the render.
  useEffect(() => {
    const element = input.current;
    if (!element) return;
    const { form } = element;
    const controller = new AbortController();
    const { signal } = controller;
    const close = () => show(false);
    // The input may have lost focus before this code loaded.
    if (document.activeElement !== element) close();
    element.addEventListener('keydown', (event) => onKeyDown(event), { signal });
    for (const name of ['focus', 'input', 'click'] as const)
      element.addEventListener(name, () => open(), { signal });
    form?.addEventListener('submit', close, { signal });
    form?.addEventListener(
      'focusout',
      ({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) close();
      },
      { signal },
    );
    return () => controller.abort();
  }, [input, show]);

  useEffect(() => {
    const element = input.current;
    if (!element || !isOpen) return;
    element.setAttribute('aria-expanded', 'true');
    return () => element.setAttribute('aria-expanded', 'false');
  }, [input, isOpen]);

  useEffect(() => {
    const element = input.current;
    if (!element || activeIndex < 0) return;
    const id = optionId(listId, activeIndex);
    element.setAttribute('aria-activedescendant', id);
    document.getElementById(id)?.scrollIntoView({ block: 'nearest' });
    return () => element.removeAttribute('aria-activedescendant');
  }, [input, activeIndex, listId]);

  const close = useCallback(() => show(false), [show]);
  return { isOpen, activeIndex, close };
}
