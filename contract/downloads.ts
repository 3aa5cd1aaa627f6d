import { z } from 'zod';
import { PageQuery, pageOf } from './paging.ts';
import { defineRoutes } from './route.ts';
import { Track } from './tracks.ts';

/** FLAC only for lossless masters; see `TrackDetail.formats`. */
export const DownloadFormat = z.enum(['mp3', 'flac']);
export type DownloadFormat = z.infer<typeof DownloadFormat>;

export const Download = z.object({
  track: Track,
  format: DownloadFormat,
  /** In bytes; null if the format is no longer available, or may not be kept any more. */
  size: z.number().nullable(),
  /** Time of the last download. */
  downloadedAt: z.number(),
  times: z.int(),
});
export type Download = z.infer<typeof Download>;

export const downloadRoutes = defineRoutes({
  'POST /api/tracks/:id/download': {
    summary: 'Start a download; returns a URL that works for six hours.',
    params: z.object({ id: z.string().max(64) }),
    body: z.strictObject({ format: DownloadFormat }),
    response: z.object({ url: z.string() }),
    errors: ['unauthenticated', 'not_found', 'subscribers_only', 'files_off', 'rate_limited'],
  },
  'GET /api/downloads': {
    summary: 'List your downloads, newest first.',
    query: PageQuery,
    response: pageOf(Download),
    errors: ['unauthenticated'],
  },
});
