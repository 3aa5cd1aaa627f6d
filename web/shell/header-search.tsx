import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'wouter';
import { IconButton } from '#web/ui/icon-button.tsx';
import { X } from '#web/ui/icons.ts';
import { useBackCloses } from '#web/ui/overlays/back-closes.ts';
import { SearchBox } from './search-box.tsx';

const findBox = (): HTMLInputElement | undefined =>
  [...document.querySelectorAll<HTMLInputElement>('[role=search] input')].find((box) =>
    box.checkVisibility(),
  );

/** The search in the header. On a phone a button opens its box; the `/` key presses it on any screen. */
export function useHeaderSearch() {
  const [location] = useLocation();
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const isOpen = openedOn === location;
  // Coming back must not open it again.
  if (openedOn && !isOpen) setOpenedOn(null);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpenedOn(null);
    opener.current?.focus({ preventScroll: true });
  };
  const open = () => {
    // Synchronously: a phone only shows its keyboard if the tap itself moves the focus.
    if (!findBox()) flushSync(() => setOpenedOn(location));
    const box = findBox();
    box?.focus();
    box?.select();
  };
  useBackCloses(isOpen, close);
  return {
    box: { isOpen, close },
    buttonProps: { id: 'open-search', ref: opener, 'aria-expanded': isOpen, onClick: open },
  };
}

/** Always visible on wide screens; on a phone it covers the header while it is open. */
export function HeaderSearchBox({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  return (
    <div
      className={`header-search ${isOpen ? 'max-md:flex' : 'max-md:hidden'}`}
      onKeyDownCapture={(event) => {
        if (!isOpen || event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
    >
      <SearchBox id="header-search" />
      <IconButton label="Close search" className="md:hidden" onClick={close}>
        <X className="size-5" />
      </IconButton>
    </div>
  );
}
