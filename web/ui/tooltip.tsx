import * as Radix from 'radix-ui/tooltip';
import type { ReactElement } from 'react';

type TooltipProps = {
  /** Repeats in sight what the control already says aloud; nothing may be found only here. */
  label: string;
  side?: 'top' | 'right' | 'bottom' | 'left';
  children: ReactElement;
};

export function Tooltip({ label, side = 'top', children }: TooltipProps) {
  return (
    <Radix.Provider delayDuration={500} skipDelayDuration={300}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            side={side}
            sideOffset={6}
            collisionPadding={8}
            className="z-95 max-w-64 rounded-[4px] bg-action px-2.5 py-1.5 text-12 font-medium text-on-action data-[state=closed]:animate-fade-out data-[state=delayed-open]:animate-fade-in"
          >
            {label}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
