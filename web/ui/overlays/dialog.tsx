import { X } from '../icons.ts';
import * as Radix from 'radix-ui/dialog';
import type { ComponentProps, ReactNode } from 'react';
import { IconButton } from '../icon-button.tsx';
import { Modal } from './modal.tsx';
import { returnFocus, scrimClass } from './overlay.ts';

export const Dialog = Modal;
export const DialogClose = Radix.Close;

/** A bottom sheet on phones, a centred panel everywhere else. */
const contentClass =
  'fixed z-80 flex max-h-[92dvh] flex-col overflow-hidden bg-overlay shadow-overlay outline-none max-md:inset-x-0 max-md:bottom-0 max-md:rounded-t-[14px] max-md:pb-safe-b max-md:data-[state=closed]:animate-to-bottom max-md:data-[state=open]:animate-from-bottom md:inset-0 md:m-auto md:h-fit md:rounded-panel md:data-[state=closed]:animate-rise-out md:data-[state=open]:animate-rise-in';

const SIZES = {
  wide: 'md:w-[min(920px,calc(100%-48px))] md:flex-row',
  small: 'md:w-[min(460px,calc(100%-48px))]',
};

type DialogContentProps = Omit<ComponentProps<typeof Radix.Content>, 'title'> & {
  size?: keyof typeof SIZES;
  title: string;
  description?: ReactNode;
  /** Only with the wide size: bars on the left, or on top of a phone's sheet. */
  art?: ReactNode;
  /** Buttons; side by side, or stacked on a phone. */
  footer?: ReactNode;
};

export function DialogContent({
  title,
  description,
  art,
  footer,
  size = 'small',
  className = '',
  children,
  ...rest
}: DialogContentProps) {
  const titleSize = size === 'wide' ? 'text-[2.625rem] md:text-[3.75rem]' : 'text-[2.125rem]';
  return (
    <Radix.Portal>
      <Radix.Overlay className={scrimClass} />
      <Radix.Content
        className={`${contentClass} ${SIZES[size]} ${className}`}
        onCloseAutoFocus={returnFocus}
        {...(!description && { 'aria-describedby': undefined })}
        {...rest}
      >
        {art && (
          <div
            aria-hidden
            className="h-[132px] shrink-0 bg-bg max-md:[@media(height<720px)]:hidden md:h-auto md:w-[min(372px,40%)]"
          >
            {art}
          </div>
        )}
        <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-6 pb-5 md:px-10 md:pt-10 md:pb-8">
          <Radix.Title className={`type-display pr-10 ${titleSize}`}>{title}</Radix.Title>
          {description && (
            <Radix.Description className="mt-3 type-lead">{description}</Radix.Description>
          )}
          <div className="mt-5">{children}</div>
          {footer && (
            <div className="mt-[22px] flex flex-col gap-3 md:flex-row md:flex-wrap">{footer}</div>
          )}
        </div>
        <Radix.Close asChild>
          <IconButton label="Close" className="absolute top-2.5 right-2.5 bg-overlay">
            <X />
          </IconButton>
        </Radix.Close>
      </Radix.Content>
    </Radix.Portal>
  );
}
