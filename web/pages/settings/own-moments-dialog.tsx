import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnMoment } from '#contract/moments.ts';
import { formatDuration } from '#contract/rules/time.ts';
import { call } from '#web/lib/api/api.ts';
import { pagedQuery, refreshPaths } from '#web/lib/api/api-query.ts';
import { formatShortDate } from '#web/lib/format/format.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Trash2 } from '#web/ui/icons.ts';
import { Dialog, DialogContent } from '#web/ui/overlays/dialog.tsx';
import type { OverlayProps } from '#web/ui/overlays/lazy-overlay.tsx';
import { PagedList } from '#web/ui/paged-list.tsx';

/** Every line that the member left, also those that nobody sees at the moment. */
export function OwnMomentsDialog({ open, onOpenChange }: OverlayProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title="Your moments"
        description="Every line you left at a mix, also at mixes that aren’t here any more."
      >
        <PagedList
          label="Your moments"
          query={useInfiniteQuery(pagedQuery('GET /api/me/moments', { query: { limit: 50 } }))}
          failed="Couldn’t load your moments."
          empty="You haven’t left any."
          renderItem={(moment) => <Row key={moment.id} moment={moment} />}
        />
      </DialogContent>
    </Dialog>
  );
}

function Row({ moment: { id, at, text, createdAt, track } }: { moment: OwnMoment }) {
  const client = useQueryClient();
  async function remove(): Promise<void> {
    try {
      await call('DELETE /api/moments/:id', { params: { id } });
      await refreshPaths(client, '/api/me/moments', `/api/tracks/${track.id}/moments`);
      showToast({ title: 'Moment deleted' });
    } catch (error) {
      showErrorToast(error, 'Couldn’t delete it. Check your connection and try again.');
    }
  }
  return (
    <li className="flex items-center gap-3 border-t border-line py-2 pr-1 pl-4 first:border-0">
      <span className="min-w-0 flex-1 wrap-anywhere">
        <bdi className="font-medium">{text}</bdi>
        <span className="block text-13 text-text-2">
          {track.title ?? 'A mix that isn’t out'} at {formatDuration(at)},{' '}
          {formatShortDate(createdAt)}
        </span>
      </span>
      <IconButton label={`Delete: ${text}`} onClick={() => void remove()}>
        <Trash2 />
      </IconButton>
    </li>
  );
}
