import type { CatalogueDetail } from '#contract/admin/catalogue.ts';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { formatLongDate } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyOverlay } from '#web/ui/overlays/lazy-overlay.tsx';
import { Notice } from '#web/ui/notice.tsx';

const useTakeDownDialog = lazyOverlay(
  'dialog',
  () => import('./take-down-dialogs.tsx'),
  'TakeDownDialog',
);
const usePutBackDialog = lazyOverlay(
  'dialog',
  () => import('./take-down-dialogs.tsx'),
  'PutBackDialog',
);

/** Why a mix is taken down, and the way back. */
export function TakenDownNotice({ track: { id, takeDown } }: { track: CatalogueDetail }) {
  const { user } = useCurrentUser();
  const dialog = usePutBackDialog();
  if (!takeDown) return null;
  const { complainant, reason, at } = takeDown;
  return (
    <Notice
      tone="warning"
      title={`Taken down on ${formatLongDate(at)}: ${complainant} complained.`}
      actions={
        user?.isAdmin && (
          <Button variant="line" size="sm" {...dialog.buttonProps}>
            Put back
          </Button>
        )
      }
    >
      <p className="wrap-anywhere whitespace-pre-line">{reason}</p>
      {!user?.isAdmin && <p>Only administrators can put it back.</p>}
      {dialog.render({ trackId: id, takeDown })}
    </Notice>
  );
}

export function TakeDownButton({ track }: { track: CatalogueDetail }) {
  const dialog = useTakeDownDialog();
  if (track.takeDown) return null;
  return (
    <>
      <Button variant="line" {...dialog.buttonProps}>
        Take down
      </Button>
      {dialog.render({ track })}
    </>
  );
}
