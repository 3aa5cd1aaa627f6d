import type { OverlayProps } from '#web/ui/overlays/lazy-overlay.tsx';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import { QrCode } from '#web/ui/qr-code.tsx';

/** For a phone: its camera opens a page with the podcast apps. */
export function PodcastQrDialog({ open, onOpenChange, url }: OverlayProps & { url: string }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title="Scan with your phone"
        description="Point your phone’s camera at the code, open the page and choose your podcast app."
      >
        <QrCode text={url} label="QR code of your podcast address" />
      </DialogContent>
    </Dialog>
  );
}
