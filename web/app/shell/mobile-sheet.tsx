import type { RefObject } from 'react';
import type { User } from '#contract/accounts.ts';
import { Sheet, SheetContent } from '#web/ui/sheet.tsx';
import type { OverlayProps } from './lazy-overlay.ts';
import { SidebarContent } from './sidebar-content.tsx';

type MobileSheetProps = OverlayProps & {
  user: User | null;
  opener: RefObject<HTMLButtonElement | null>;
};

export function MobileSheet({ user, open, onOpenChange, opener }: MobileSheetProps) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange}>
      <SheetContent
        side="left"
        title="Menu"
        isTitleHidden
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          opener.current?.focus();
        }}
      >
        <div className="flex flex-1 flex-col px-3.5 pt-2.5 pb-4">
          <SidebarContent user={user} />
        </div>
      </SheetContent>
    </Sheet>
  );
}
