import { Check } from '../icons.ts';
import * as Radix from 'radix-ui/dropdown-menu';
import { useState, type ComponentProps, type ReactNode } from 'react';
import { useBackCloses } from './back-closes.ts';
import type { OverlayProps } from './lazy-overlay.tsx';
import { returnFocus, useTopOverlay } from './overlay.ts';

/** A finger has no Escape key, and with a mouse a menu is no more than a part of the page. */
const isTouched = () => window.matchMedia('(pointer: coarse), (width < 48rem)').matches;

/** Not modal: the page behind stays usable, and screen readers can reach all of it. */
export function Menu({ open, onOpenChange, ...rest }: ComponentProps<typeof Radix.Root>) {
  const [isOpenItself, setOpen] = useState(false);
  const isOpen = open ?? isOpenItself;
  const change = (next: boolean) => {
    setOpen(next);
    onOpenChange?.(next);
  };
  const close = () => change(false);
  useBackCloses(isOpen && isTouched(), close);
  useTopOverlay(isOpen, close);
  return <Radix.Root modal={false} open={isOpen} onOpenChange={change} {...rest} />;
}

export const MenuTrigger = Radix.Trigger;

export function MenuContent({ className = '', ...rest }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        align="end"
        sideOffset={8}
        collisionPadding={8}
        className={`z-70 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 overflow-y-auto rounded-panel bg-overlay p-1.5 shadow-overlay ring-1 ring-line data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in ${className}`}
        {...rest}
      />
    </Radix.Portal>
  );
}

type AnchoredMenuProps = OverlayProps & { label: string; children: ReactNode };

/** A menu that loads after its button: it opens over the button, which closes it with its own click. */
export function AnchoredMenu({ label, open, onOpenChange, opener, children }: AnchoredMenuProps) {
  return (
    <Menu open={open} onOpenChange={onOpenChange}>
      <MenuTrigger asChild>
        <span aria-hidden tabIndex={-1} className="pointer-events-none absolute inset-0" />
      </MenuTrigger>
      <MenuContent
        aria-labelledby={undefined}
        aria-label={label}
        onInteractOutside={(event) => {
          const { target } = event.detail.originalEvent;
          if (target instanceof Node && opener.current?.contains(target)) event.preventDefault();
        }}
        onCloseAutoFocus={(event) => returnFocus(event, opener)}
      >
        {children}
      </MenuContent>
    </Menu>
  );
}

const itemClass =
  'flex min-h-11 cursor-pointer items-center gap-3 rounded-[4px] px-2.5 font-medium text-text-2 outline-none select-none data-disabled:cursor-not-allowed data-disabled:opacity-45 data-highlighted:bg-raised data-highlighted:text-text md:min-h-9 [&_svg]:size-[18px] [&_svg]:shrink-0';

/** With `asChild` around a link, the menu navigates. */
export function MenuItem({ className = '', ...rest }: ComponentProps<typeof Radix.Item>) {
  return <Radix.Item className={`${itemClass} ${className}`} {...rest} />;
}

export const MenuRadioGroup = Radix.RadioGroup;

/** One option of a group. Choosing it keeps the menu open, to show what was chosen. */
export function MenuRadioItem({
  children,
  className = '',
  ...rest
}: ComponentProps<typeof Radix.RadioItem>) {
  return (
    <Radix.RadioItem
      className={`${itemClass} ${className}`}
      onSelect={(event) => event.preventDefault()}
      {...rest}
    >
      <CheckMark />
      {children}
    </Radix.RadioItem>
  );
}

function CheckMark() {
  return (
    <span className="size-[18px]">
      <Radix.ItemIndicator>
        <Check strokeWidth={2} />
      </Radix.ItemIndicator>
    </span>
  );
}

export function MenuLabel({ className = '', ...rest }: ComponentProps<typeof Radix.Label>) {
  return <Radix.Label className={`px-2.5 pt-2 pb-1.5 type-label ${className}`} {...rest} />;
}

export function MenuSeparator({ className = '', ...rest }: ComponentProps<typeof Radix.Separator>) {
  return <Radix.Separator className={`my-1.5 h-px bg-line ${className}`} {...rest} />;
}
