import { useEffect, type RefObject } from 'react';
import { useLocation } from 'wouter';
import type { User } from '#contract/accounts.ts';
import { Sheet, SheetContent } from '#web/ui/sheet.tsx';
import type { OverlayProps } from './lazy-overlay.ts';
import { SidebarContent } from './sidebar-content.tsx';

type MobileSheetProps = OverlayProps & {
  user: User | null;
  opener: RefObject<HTMLButtonElement | null>;
};

export function MobileSheet({ user, open, onOpenChange, opener }: MobileSheetProps) {
  const [location] = useLocation();
  useEffect(() => {
    onOpenChange(false);
    // Following a link closes the sheet; only the location decides.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [location]);
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
