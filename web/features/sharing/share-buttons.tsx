import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { hasFullAccess } from '#web/lib/api/current-user.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Scissors, Share2 } from '#web/ui/icons.ts';
import { lazyOverlay } from '#web/ui/overlays/lazy-overlay.tsx';
import { isClippable } from './can-clip.ts';
import { isSheetUsual, openShareSheet, shareTrack } from './share-sheet.ts';

const useShareDialog = lazyOverlay('dialog', () => import('./share-dialog.tsx'), 'ShareDialog');

/** One tap on a phone, where the menu has the other ways. */
export function ShareButton({ track }: { track: Track }) {
  const { buttonProps, render } = useShareDialog();
  return (
    <>
      <IconButton
        label="Share"
        {...buttonProps}
        onClick={() =>
          isSheetUsual() ? void openShareSheet(shareTrack(track)) : buttonProps.onClick()
        }
      >
        <Share2 />
      </IconButton>
      {render({ track })}
    </>
  );
}

type ClipButtonProps = { track: Track; user: User | null; hasText?: boolean };

/** Marks some seconds of a mix for everyone. */
export function ClipButton({ track, user, hasText = false }: ClipButtonProps) {
  const { buttonProps, render } = useShareDialog();
  if (!hasFullAccess(user) || !isClippable(track, user)) return null;
  return (
    <>
      {hasText ? (
        <Button variant="quiet" size="sm" {...buttonProps}>
          <Scissors />
          Clip
        </Button>
      ) : (
        <IconButton label="Clip" {...buttonProps}>
          <Scissors />
        </IconButton>
      )}
      {render({ track, way: 'clip' })}
    </>
  );
}
