import { z } from 'zod';
import { checkSlot, TrackChange, TrackFields } from './track-fields.ts';
import { PageQuery } from './paging.ts';
import { defineRoutes } from './route.ts';
import { Chapter, Peaks } from './tracks.ts';

/** What an administrator sees a mix as. A deleted one can be brought back for some days. */
export const CatalogueState = z.enum([
  'processing',
  'failed',
  'draft',
  'scheduled',
  'published',
  'deleted',
]);
export type CatalogueState = z.infer<typeof CatalogueState>;

export const CatalogueSort = z.enum(['week', 'title', 'release', 'plays', 'updated']);
export type CatalogueSort = z.infer<typeof CatalogueSort>;

export const CatalogueTrack = z.object({
  id: z.string(),
  title: z.string(),
  year: z.int(),
  weekNumber: z.int(),
  genre: z.string().nullable(),
  duration: z.number(),
  coverUrl: z.string().nullable(),
  state: CatalogueState,
  /** Percent of what is made of the master; below 100 also while a mix that is out is made again. */
  progress: z.int(),
  /** The steps that are done. */
  stages: z.array(z.string()),
  failure: z.string().nullable(),
  isSubscriberOnly: z.boolean(),
  publishAt: z.number().nullable(),
  deletedAt: z.number().nullable(),
  updatedAt: z.number(),
  version: z.int(),
  figures: z.object({
    plays: z.int(),
    listeners: z.int(),
    favorites: z.int(),
    downloads: z.int(),
  }),
  files: z.array(z.object({ name: z.string(), size: z.number() })),
});
export type CatalogueTrack = z.infer<typeof CatalogueTrack>;

export const CatalogueDetail = CatalogueTrack.extend({
  description: z.string(),
  chapters: z.array(Chapter),
  previewStart: z.number().nullable(),
  /** Bytes of what was uploaded; null where nothing is kept. */
  masterSize: z.number().nullable(),
});
export type CatalogueDetail = z.infer<typeof CatalogueDetail>;

const TrackId = z.object({ id: z.string().max(64) });
const Version = z.int().min(0);
export const MAX_BULK = 200;
const Ids = z
  .array(z.string().min(1).max(64))
  .min(1, 'Choose at least one mix.')
  .max(MAX_BULK, `Choose at most ${MAX_BULK} mixes at a time.`);

/** How mixes were before a change, and the version that the change made of them. */
export const BulkUndo = z
  .array(
    z
      .strictObject({
        id: z.string().min(1).max(64),
        version: Version,
        week: TrackFields.shape.week,
        year: TrackFields.shape.year,
        publishAt: z.int().nullable(),
      })
      .check(checkSlot),
  )
  .max(MAX_BULK);
export type BulkUndo = z.output<typeof BulkUndo>;

export const BulkChange = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('publish'), ids: Ids }),
  z.strictObject({ action: z.literal('unpublish'), ids: Ids }),
  z.strictObject({
    action: z.literal('schedule'),
    ids: Ids,
    at: z.int('Choose a day and a time.'),
  }),
  z
    .strictObject({
      action: z.literal('move'),
      ids: Ids,
      week: TrackFields.shape.week,
      year: TrackFields.shape.year,
    })
    .check(checkSlot),
  z.strictObject({ action: z.literal('delete'), ids: Ids }),
  z.strictObject({ action: z.literal('restore'), ids: Ids }),
  z.strictObject({ action: z.literal('revert'), items: BulkUndo.min(1) }),
]);
export type BulkChange = z.output<typeof BulkChange>;

export const catalogueRoutes = defineRoutes({
  'GET /api/admin/tracks': {
    summary: 'Every mix with its state, figures and files.',
    query: PageQuery.extend({
      q: z.string().trim().max(100).optional(),
      state: CatalogueState.optional(),
      year: z.coerce.number().int().optional(),
      genre: z.string().max(60).optional(),
      sort: CatalogueSort.optional(),
    }),
    response: z.object({ items: z.array(CatalogueTrack), nextCursor: z.string().nullable() }),
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/admin/tracks/facets': {
    summary: 'The years and genres of all mixes, and how many are in each state.',
    response: z.object({
      years: z.array(z.int()),
      genres: z.array(z.string()),
      states: z.record(z.string(), z.int()),
    }),
    errors: ['unauthenticated', 'not_found'],
  },
  'POST /api/admin/tracks/bulk': {
    summary:
      'Publish, unpublish, schedule, move, delete or restore many mixes, all of them or none; `revert` takes the `undo` of an answer.',
    body: BulkChange,
    response: z.object({ changed: z.array(z.string()), undo: BulkUndo }),
    errors: ['unauthenticated', 'not_found', 'track_changed'],
  },
  'GET /api/admin/tracks/:id': {
    summary: 'One mix with everything that can be edited.',
    params: TrackId,
    response: CatalogueDetail,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/admin/tracks/:id/peaks': {
    summary: 'The waveform of any mix, also of one that is not out.',
    params: TrackId,
    response: Peaks,
    errors: ['unauthenticated', 'not_found'],
  },
  'PATCH /api/admin/tracks/:id': {
    summary: 'Change a mix. `version` is the one that was edited: a newer one refuses.',
    params: TrackId,
    body: TrackChange.extend({ version: Version }).check(checkSlot),
    response: CatalogueDetail,
    errors: ['unauthenticated', 'not_found', 'track_changed'],
  },
  'PUT /api/admin/tracks/:id/cover': {
    summary: 'Give a mix a cover: raw image bytes, at most 20 MB.',
    params: TrackId,
    body: 'image',
    response: CatalogueDetail,
    errors: ['unauthenticated', 'not_found', 'invalid_image', 'disk_full'],
  },
  'DELETE /api/admin/tracks/:id/cover': {
    summary: 'Take the cover away: the sleeve of the week is shown.',
    params: TrackId,
    response: CatalogueDetail,
    errors: ['unauthenticated', 'not_found'],
  },
  'POST /api/admin/tracks/:id/reprocess': {
    summary: 'Make everything again from the master that is kept.',
    params: TrackId,
    response: CatalogueDetail,
    errors: ['unauthenticated', 'not_found', 'no_master'],
  },
});
