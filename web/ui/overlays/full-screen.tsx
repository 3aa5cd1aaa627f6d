import * as Radix from 'radix-ui/dialog';
import type { ComponentProps } from 'react';
import { Modal } from './modal.tsx';
import { returnFocus } from './overlay.ts';

export const FullScreen = Modal;
export const FullScreenTitle = Radix.Title;

/** A view that covers the whole window. */
export function FullScreenContent({
  className = '',
  ...rest
}: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      {/* Invisible: it keeps the page behind from scrolling. */}
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
