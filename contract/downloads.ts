import { z } from 'zod';
import { PageQuery } from './paging.ts';
import { defineRoutes } from './route.ts';
import { Track } from './tracks.ts';

/** FLAC only where the master is lossless: `TrackDetail.formats` says. */
export const DownloadFormat = z.enum(['mp3', 'flac']);
export type DownloadFormat = z.infer<typeof DownloadFormat>;

export const Download = z.object({
  track: Track,
  format: DownloadFormat,
  /** Bytes; null when this format is no longer there. */
  size: z.number().nullable(),
  /** The last time. */
  downloadedAt: z.number(),
  times: z.int(),
});
export type Download = z.infer<typeof Download>;

export const downloadRoutes = defineRoutes({
  'POST /api/tracks/:id/download': {
    summary: 'Record a download and answer an address, good for six hours, that serves the file.',
    params: z.object({ id: z.string().max(64) }),
    body: z.strictObject({ format: DownloadFormat }),
    response: z.object({ url: z.string() }),
    errors: ['unauthenticated', 'not_found', 'subscribers_only', 'rate_limited'],
  },
  'GET /api/downloads': {
    summary: "The member's downloads, the latest first.",
    query: PageQuery,
    response: z.object({ items: z.array(Download), nextCursor: z.string().nullable() }),
    errors: ['unauthenticated'],
  },
});
