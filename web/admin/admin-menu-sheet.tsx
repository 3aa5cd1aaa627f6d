import { returnFocus } from '#web/ui/overlays/overlay.ts';
import { Sheet, SheetContent } from '#web/ui/overlays/sheet.tsx';
import type { OverlayProps } from '#web/ui/overlays/lazy-overlay.tsx';
import { AdminMenu } from './admin-menu.tsx';

export function AdminMenuSheet({ open, onOpenChange, opener }: OverlayProps) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange}>
      <SheetContent
        side="left"
        title="Admin"
        onCloseAutoFocus={(event) => returnFocus(event, opener)}
      >
        <div className="px-3.5 pb-6">
          <AdminMenu />
        </div>
      </SheetContent>
    </Sheet>
  );
}
