import { z } from 'zod';
import { CatalogueTrack } from './catalogue.ts';
import { checkSlot, TrackChange, TrackValues } from '../track-fields.ts';
import { PageQuery, pageOf } from '../paging.ts';
import { defineRoutes } from '../route.ts';
import { DAY } from '#contract/rules/time.ts';

export const MAX_UPLOAD_BYTES = 4 * 1024 ** 3;
export const MAX_COVER_BYTES = 20 * 1024 ** 2;
/** How long an unfinished upload can be resumed. */
export const ABANDONED_UPLOAD_MS = 7 * DAY;

/**
 * `received`: complete, and being checked. `duplicate`: a track has the same bytes, an administrator
 * decides. `refused`: not audio. `finished`: it has become a track.
 */
const UploadState = z.enum(['uploading', 'received', 'duplicate', 'refused', 'finished']);
type UploadState = z.infer<typeof UploadState>;

const TrackName = CatalogueTrack.pick({ id: true, title: true, year: true, weekNumber: true });

export const Upload = z.object({
  id: z.string(),
  fileName: z.string(),
  size: z.number(),
  received: z.number(),
  state: UploadState,
  failure: z.string().nullable(),
  /** The fields so far: typed, read from the file, or guessed from its name. */
  ...TrackValues.shape,
  /** Only the fields that someone typed. */
  draft: TrackChange,
  coverUrl: z.string().nullable(),
  duplicateOf: TrackName.nullable(),
  replaces: TrackName.nullable(),
  /** The track it became. */
  track: CatalogueTrack.nullable(),
  version: z.int(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type Upload = z.infer<typeof Upload>;

const UploadId = z.object({ id: z.string().max(64) });
const errors = ['unauthenticated', 'not_found'] as const;

export const uploadRoutes = defineRoutes({
  'GET /api/admin/uploads': {
    summary: 'List uploads, newest first.',
    query: PageQuery,
    response: pageOf(Upload),
    errors,
  },
  'GET /api/admin/uploads/:id/details': {
    summary: 'Get one upload.',
    params: UploadId,
    response: Upload,
    errors,
  },
  'PUT /api/admin/uploads/:id/draft': {
    summary: 'Update a mix’s details during upload. Fields that are left out don’t change.',
    params: UploadId,
    body: TrackChange.extend({ version: z.int().min(0) }).check(checkSlot),
    response: Upload,
    errors: [...errors, 'upload_changed', 'upload_over'],
  },
  'PUT /api/admin/uploads/:id/cover': {
    summary: 'Set a mix’s cover during upload: raw image bytes, at most 20 MB.',
    params: UploadId,
    body: 'image',
    response: Upload,
    errors: [...errors, 'invalid_image', 'upload_over', 'disk_full'],
  },
  'POST /api/admin/uploads/:id/accept': {
    summary: 'Accept a duplicate upload, or retry a failed one.',
    params: UploadId,
    response: Upload,
    errors: [...errors, 'upload_over'],
  },
});
