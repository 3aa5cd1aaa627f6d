import { useRef } from 'react';
import type { User } from '#contract/accounts.ts';
import { initials } from '#contract/rules/initials.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { lazyOverlay } from '#web/ui/overlays/lazy-overlay.tsx';

const useAccountMenu = lazyOverlay(() =>
  import('./account-menu.tsx').then((module) => module.AccountMenu),
);

export function AccountButton({ user }: { user: User }) {
  const { Overlay, open, onOpenChange, prefetch } = useAccountMenu();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <div className="relative">
      <button
        ref={button}
        type="button"
        aria-label={`My Account, ${initials(user.username)}`}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={prefetch}
        onFocus={prefetch}
        onClick={() => onOpenChange(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          onOpenChange(true);
        }}
        className="grid size-11 place-items-center rounded-full md:size-10"
      >
        <Avatar user={user} />
      </button>
      {Overlay && <Overlay user={user} open={open} onOpenChange={onOpenChange} opener={button} />}
    </div>
  );
}
