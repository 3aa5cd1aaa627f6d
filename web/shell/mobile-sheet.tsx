import type { User } from '#contract/accounts.ts';
import { returnFocus } from '#web/ui/overlays/overlay.ts';
import { Sheet, SheetContent } from '#web/ui/overlays/sheet.tsx';
import type { OverlayProps } from '#web/ui/overlays/lazy-overlay.tsx';
import { LegalLinks } from './legal-links.tsx';
import { SidebarContent } from './sidebar-content.tsx';

type MobileSheetProps = OverlayProps & { user: User | null };

export function MobileSheet({ user, open, onOpenChange, opener }: MobileSheetProps) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange}>
      <SheetContent
        side="left"
        title="Menu"
        isTitleHidden
        onCloseAutoFocus={(event) => returnFocus(event, opener)}
      >
        <div className="flex flex-1 flex-col px-3.5 pt-2.5 pb-4">
          <SidebarContent user={user} />
          <LegalLinks className="gap-x-4! px-2.5 pt-3" />
        </div>
      </SheetContent>
    </Sheet>
  );
}
