import { infiniteQueryOptions, mutationOptions, type QueryClient } from '@tanstack/react-query';
import type { Page } from '#contract/paging.ts';
import type { Download, DownloadFormat } from '#contract/downloads.ts';
import type { Track } from '#contract/tracks.ts';
import { buildPath, call } from '#web/lib/api/api.ts';
import { sendAnalyticsEvent } from '#web/lib/analytics/analytics-events.ts';
import { fetchPage, FIRST_PAGE } from '#web/lib/api/query-client.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';

const PAGE_SIZE = 50;
const DOWNLOADS_PATH = '/api/downloads';

type DownloadPage = Page<Download>;

export const downloadsQuery = infiniteQueryOptions({
  queryKey: [DOWNLOADS_PATH, 'pages'],
  initialPageParam: FIRST_PAGE,
  queryFn: (context): Promise<DownloadPage> =>
    fetchPage(
      context,
      buildPath(DOWNLOADS_PATH, {}, { limit: PAGE_SIZE, cursor: context.pageParam ?? undefined }),
      (page) => page as DownloadPage,
    ),
  getNextPageParam: (page) => page.nextCursor ?? undefined,
});

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
      await client.invalidateQueries({ queryKey: [DOWNLOADS_PATH] });
    },
    onError: (error) => showErrorToast(error, 'Couldn’t start the download. Please try again.'),
    // Each attempt is recorded, and the user is waiting.
    retry: false,
  });
