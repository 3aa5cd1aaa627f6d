import { useEffect, useRef, useState, type FocusEvent, type ReactNode, type UIEvent } from 'react';

const HIDE_DELAY_MS = 600;

type ScrollAreaProps = {
  children: ReactNode;
  /** For an area without anything to focus: names it, so that the keyboard can reach and scroll it. */
  label?: string;
  className?: string;
};

/** When Tab wraps around in a dialog, from its last control to the first, the browser doesn't scroll. */
function showFocused({ target }: FocusEvent): void {
  if (target.matches(':focus-visible')) target.scrollIntoView({ block: 'nearest' });
}

/** The scrollbar is the browser's own. It shows while scrolling and hides 600 ms later. */
export function ScrollArea({ children, label, className = '' }: ScrollAreaProps) {
  const [isScrolling, setScrolling] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function onScroll({ target, currentTarget }: UIEvent): void {
    // React passes on the scrolling of areas inside this one.
    if (target !== currentTarget) return;
    setScrolling(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setScrolling(false), HIDE_DELAY_MS);
  }

  return (
    <div
      data-scrollbar={isScrolling ? 'visible' : 'hidden'}
      onScroll={onScroll}
      onFocus={showFocused}
      className={`scroll-area ${className}`}
      {...(label && { tabIndex: 0, role: 'region', 'aria-label': label })}
    >
      {children}
    </div>
  );
}
