import { X } from '../icons.ts';
import * as Radix from 'radix-ui/dialog';
import type { ComponentProps, ReactNode } from 'react';
import { IconButton } from '../icon-button.tsx';
import { ScrollArea } from '../scroll-area.tsx';
import { Modal } from './modal.tsx';
import { returnFocus, scrimClass } from './overlay.ts';

export const Sheet = Modal;

const fromLeft =
  'inset-y-0 left-0 w-[min(19rem,86vw)] border-r border-line pt-safe-t pb-safe-b pl-safe-l data-[state=closed]:animate-to-left data-[state=open]:animate-from-left';
const fromRight =
  'inset-y-0 right-0 w-[min(392px,100vw)] border-l border-line pt-safe-t pb-safe-b pr-safe-r data-[state=closed]:animate-to-right data-[state=open]:animate-from-right';
const fromBottom =
  'inset-x-0 bottom-0 max-h-[80dvh] rounded-t-[14px] pb-safe-b shadow-overlay data-[state=closed]:animate-to-bottom data-[state=open]:animate-from-bottom';

const SIDES = {
  left: fromLeft,
  right: fromRight,
  bottom: fromBottom,
  /** From the bottom on phones, from the right elsewhere. */
  adaptive:
    'max-md:inset-x-0 max-md:bottom-0 max-md:max-h-[80dvh] max-md:rounded-t-[14px] max-md:pb-safe-b max-md:shadow-overlay max-md:data-[state=closed]:animate-to-bottom max-md:data-[state=open]:animate-from-bottom md:inset-y-0 md:right-0 md:w-[392px] md:border-l md:border-line md:data-[state=closed]:animate-to-right md:data-[state=open]:animate-from-right',
};

type SheetContentProps = Omit<ComponentProps<typeof Radix.Content>, 'title'> & {
  side?: keyof typeof SIDES;
  title: string;
  /** Only screen readers get the title; the sheet shows something else, such as a logo. */
  isTitleHidden?: boolean;
  /** Next to the title: a count, a Clear button. */
  headEnd?: ReactNode;
  footer?: ReactNode;
};

export function SheetContent({
  title,
  isTitleHidden = false,
  headEnd,
  footer,
  side = 'right',
  className = '',
  children,
  ...rest
}: SheetContentProps) {
  const hasHandle = side === 'bottom' || side === 'adaptive';
  const close = (
    <Radix.Close asChild>
      <IconButton
        label="Close"
        className={isTitleHidden ? 'absolute top-2.5 right-2.5' : 'ml-auto'}
      >
        <X />
      </IconButton>
    </Radix.Close>
  );
  return (
    <Radix.Portal>
      <Radix.Overlay className={scrimClass} />
      <Radix.Content
        aria-describedby={undefined}
        className={`@container/sheet fixed z-80 flex flex-col bg-overlay outline-none ${SIDES[side]} ${className}`}
        onCloseAutoFocus={returnFocus}
        {...rest}
      >
        {hasHandle && (
          <div
            aria-hidden
            className={`mx-auto mt-2 h-1 w-10 rounded-pill bg-line-strong ${side === 'adaptive' ? 'md:hidden' : ''}`}
          />
        )}
        {isTitleHidden ? (
          <Radix.Title className="sr-only">{title}</Radix.Title>
        ) : (
          <div className="flex flex-wrap items-center gap-x-2.5 pt-1.5 pr-2 pb-1.5 pl-5 md:pt-[18px] md:pr-3.5 md:pb-3 md:pl-6">
            <Radix.Title className="max-w-[calc(100%-3.5rem)] type-section wrap-anywhere">
              {title}
            </Radix.Title>
            {headEnd}
            {close}
          </div>
        )}
        <ScrollArea className="flex min-h-0 flex-1 flex-col">{children}</ScrollArea>
        {footer && (
          <div className="border-t border-line px-6 py-3.5 text-13 text-text-2">{footer}</div>
        )}
        {isTitleHidden && close}
      </Radix.Content>
    </Radix.Portal>
  );
}
