import { z } from 'zod';
import { checkSlot, TrackChange, TrackFields, TrackValues } from '../track-fields.ts';
import { PageQuery, pageOf } from '../paging.ts';
import { defineRoutes } from '../route.ts';
import { Peaks } from '../tracks.ts';
import { PutBackForm, TakeDown, TakeDownForm, TakeDownOfTrack } from './take-downs.ts';

/**
 * The state an administrator sees. A deleted track can be restored for a week; one that was taken down
 * on a complaint can be put back.
 */
export const CatalogueState = z.enum([
  'processing',
  'failed',
  'draft',
  'scheduled',
  'published',
  'takenDown',
  'deleted',
]);
export type CatalogueState = z.infer<typeof CatalogueState>;

export const CatalogueSort = z.enum(['week', 'title', 'release', 'plays', 'updated']);
export type CatalogueSort = z.infer<typeof CatalogueSort>;

/** When the site releases. */
export const Rhythm = z.object({
  releaseDay: z.int(),
  releaseHour: z.int(),
  earlyAccessHours: z.int(),
});

export const CatalogueTrack = z.object({
  id: z.string(),
  title: z.string(),
  artists: TrackFields.shape.artists,
  year: z.int(),
  weekNumber: z.int(),
  genre: z.string().nullable(),
  duration: z.number(),
  coverUrl: z.string().nullable(),
  state: CatalogueState,
  /** Percent; also below 100 while a published track is reprocessed. */
  progress: z.int(),
  /** The finished stages. */
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
  ...TrackValues.shape,
  /** Bytes of the uploaded original; null when it isn't stored. */
  masterSize: z.number().nullable(),
  /** The complaint for which it is taken down. */
  takeDown: TakeDown.nullable(),
});
export type CatalogueDetail = z.infer<typeof CatalogueDetail>;

const TrackId = z.object({ id: z.string().max(64) });
const Version = z.int().min(0);
const MAX_BULK = 200;
const Ids = z
  .array(z.string().min(1).max(64))
  .min(1, 'Choose at least one mix.')
  .max(MAX_BULK, `Choose at most ${MAX_BULK} mixes at a time.`);

/** What the tracks were before a bulk change, with the version it gave them. */
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
    /** Null for the release time of each track's own week. */
    at: z.int('Choose a day and a time.').nullable(),
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
    summary: 'Every track with its state, figures and files.',
    query: PageQuery.extend({
      q: z.string().trim().max(100).optional(),
      state: CatalogueState.optional(),
      year: z.coerce.number().int().optional(),
      genre: z.string().max(60).optional(),
      series: z.string().max(60).optional(),
      sort: CatalogueSort.optional(),
    }),
    response: pageOf(CatalogueTrack),
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/admin/tracks/facets': {
    summary:
      'The years, genres and series of all tracks, the number in each state, and when the site releases.',
    response: z.object({
      years: z.array(z.int()),
      genres: z.array(z.string()),
      series: z.array(z.string()),
      states: z.record(z.string(), z.int()),
      rhythm: Rhythm,
    }),
    errors: ['unauthenticated', 'not_found'],
  },
  'POST /api/admin/tracks/bulk': {
    summary:
      'Publish, unpublish, schedule, move, delete or restore several tracks, all or none; `revert` takes the `undo` of a response.',
    body: BulkChange,
    response: z.object({ changed: z.array(z.string()), undo: BulkUndo }),
    errors: ['unauthenticated', 'not_found', 'track_changed', 'taken_down'],
  },
  'GET /api/admin/tracks/:id': {
    summary: 'One track with everything an administrator can edit.',
    params: TrackId,
    response: CatalogueDetail,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/admin/tracks/:id/peaks': {
    summary: 'The waveform of any track, published or not.',
    params: TrackId,
    response: Peaks,
    errors: ['unauthenticated', 'not_found'],
  },
  'PATCH /api/admin/tracks/:id': {
    summary:
      'Change a track. `version` is the one you edited; the change is rejected if it is no longer current.',
    params: TrackId,
    body: TrackChange.extend({ version: Version }).check(checkSlot),
    response: CatalogueDetail,
    errors: ['unauthenticated', 'not_found', 'track_changed', 'taken_down'],
  },
  'PUT /api/admin/tracks/:id/cover': {
    summary: 'Set the cover of a track: raw image bytes, up to 20 MB.',
    params: TrackId,
    body: 'image',
    response: CatalogueDetail,
    errors: ['unauthenticated', 'not_found', 'invalid_image', 'disk_full'],
  },
  'DELETE /api/admin/tracks/:id/cover': {
    summary: 'Remove the cover; the track shows its week’s sleeve instead.',
    params: TrackId,
    response: CatalogueDetail,
    errors: ['unauthenticated', 'not_found'],
  },
  'POST /api/admin/tracks/:id/reprocess': {
    summary: 'Reprocess a track from its stored original.',
    params: TrackId,
    response: CatalogueDetail,
    errors: ['unauthenticated', 'not_found', 'no_master'],
  },
  'POST /api/admin/tracks/:id/take-down': {
    summary:
      'Take a mix down on a complaint: at once nobody but staff finds, hears or keeps it. Its files, plays and tracklist stay.',
    params: TrackId,
    body: TakeDownForm,
    response: CatalogueDetail,
    errors: ['unauthenticated', 'not_found', 'taken_down', 'track_changed'],
  },
  'POST /api/admin/tracks/:id/put-back': {
    summary:
      'Close the complaint about a mix: it is as it was before, with its old release time, or a draft.',
    params: TrackId,
    body: PutBackForm,
    response: CatalogueDetail,
    errors: ['unauthenticated', 'not_found', 'not_taken_down', 'track_changed'],
  },
  'GET /api/admin/rights/take-downs': {
    summary: 'Every complaint for which a mix was taken down, newest first.',
    query: PageQuery.extend({ state: z.enum(['open', 'closed']).optional() }),
    response: pageOf(TakeDownOfTrack),
    errors: ['unauthenticated', 'not_found'],
  },
});
