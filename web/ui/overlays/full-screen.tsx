import * as Radix from 'radix-ui/dialog';
import type { ComponentProps } from 'react';
import { returnFocus } from './return-focus.ts';

export const FullScreen = Radix.Root;
export const FullScreenTitle = Radix.Title;

/** A view that takes the whole window and gives it back when it is closed. */
export function FullScreenContent({
  className = '',
  ...rest
}: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      {/* Not to be seen: it keeps the page beneath from scrolling. */}
      <Radix.Overlay className="fixed inset-0 z-60" />
      <Radix.Content
        aria-describedby={undefined}
        onCloseAutoFocus={returnFocus}
        className={`fixed inset-0 z-60 outline-none data-[state=closed]:animate-to-bottom data-[state=open]:animate-from-bottom ${className}`}
        {...rest}
      />
    </Radix.Portal>
  );
}
