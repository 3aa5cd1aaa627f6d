import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import type { DownloadFormat } from '#contract/downloads.ts';
import type { Track } from '#contract/tracks.ts';
import { call } from '#web/lib/api/api.ts';
import { pagedQuery } from '#web/lib/api/api-query.ts';
import { sendAnalyticsEvent } from '#web/lib/analytics/analytics-events.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';

export const downloadsQuery = pagedQuery('GET /api/downloads', { query: { limit: 50 } });

/** Uses the browser's own download, with progress and resuming. */
function saveFile(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}

export const downloadMutation = (client: QueryClient, track: Pick<Track, 'id' | 'title'>) =>
  mutationOptions({
    mutationFn: (format: DownloadFormat) =>
      call('POST /api/tracks/:id/download', { params: { id: track.id }, body: { format } }),
    onSuccess: async ({ url }, format) => {
      saveFile(url);
      sendAnalyticsEvent('download-track', {
        track_id: track.id,
        track_title: track.title,
        content_type: 'mp3',
      });
      showToast({
        title: 'Download started',
        description: `${track.title}, ${format.toUpperCase()}`,
      });
      await client.invalidateQueries({ queryKey: downloadsQuery.queryKey });
    },
    onError: (error) => showErrorToast(error, 'Couldn’t start the download. Please try again.'),
    // Each attempt is recorded, and the user is waiting.
    retry: false,
  });
