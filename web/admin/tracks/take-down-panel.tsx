import type { CatalogueDetail } from '#contract/admin/catalogue.ts';
import { useCurrentUser } from '#web/lib/api/current-user.ts';
import { formatLongDate } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyOverlay } from '#web/ui/overlays/lazy-overlay.tsx';
import { Notice } from '#web/ui/notice.tsx';

const useDialog = lazyOverlay('dialog', () => import('./take-down-dialogs.tsx'), 'CaseDialog');

/** Takes a mix down; says why it is down, and puts it back. */
export function TakeDownPanel({ track }: { track: CatalogueDetail }) {
  const { user } = useCurrentUser();
  const dialog = useDialog();
  const { takeDown } = track;
  const button = (
    <Button variant="line" {...dialog.buttonProps}>
      {takeDown ? 'Put back' : 'Take down'}
    </Button>
  );
  return (
    <>
      {takeDown ? (
        <Notice
          tone="warning"
          title={`Taken down on ${formatLongDate(takeDown.at)}: ${takeDown.complainant} complained.`}
          actions={user?.isAdmin && button}
        >
          <p className="wrap-anywhere whitespace-pre-line">{takeDown.reason}</p>
        </Notice>
      ) : (
        <div>{button}</div>
      )}
      {dialog.render({ track })}
    </>
  );
}
