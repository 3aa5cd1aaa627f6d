import * as Radix from 'radix-ui/scroll-area';
import type { ReactNode } from 'react';

const HIDE_DELAY_MS = 600;

type ScrollAreaProps = {
  children: ReactNode;
  orientation?: 'vertical' | 'horizontal';
  /** Names the area for keyboard and screen reader users. */
  label?: string;
  className?: string;
};

/** The scrollbar shows while scrolling and hides 600 ms later. */
export function ScrollArea({
  children,
  orientation = 'vertical',
  label,
  className = '',
}: ScrollAreaProps) {
  const isVertical = orientation === 'vertical';
  return (
    <Radix.Root
      type="scroll"
      scrollHideDelay={HIDE_DELAY_MS}
      className={`relative overflow-hidden ${className}`}
    >
      <Radix.Viewport
        tabIndex={0}
        className="size-full focus-visible:-outline-offset-2"
        {...(label && { role: 'region', 'aria-label': label })}
      >
        {children}
      </Radix.Viewport>
      <Radix.Scrollbar
        orientation={orientation}
        className={`flex touch-none p-0.5 select-none data-[state=hidden]:animate-fade-out data-[state=visible]:animate-fade-in ${isVertical ? 'w-2.5' : 'h-2.5 flex-col'}`}
      >
        <Radix.Thumb className="relative flex-1 rounded-pill bg-line-strong" />
      </Radix.Scrollbar>
    </Radix.Root>
  );
}
