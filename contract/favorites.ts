import { z } from 'zod';
import { PageQuery, pageOf } from './paging.ts';
import { defineRoutes } from './route.ts';
import { Track } from './tracks.ts';

const TrackId = z.object({ id: z.string().max(64) });

export const favoriteRoutes = defineRoutes({
  'GET /api/tracks/:id/favorite': {
    summary: 'Whether the track is one of the user’s favorites.',
    params: TrackId,
    response: z.object({ isFavorite: z.boolean() }),
    errors: ['unauthenticated', 'not_found', 'subscribers_only'],
  },
  'POST /api/tracks/:id/favorite': {
    summary: 'Add a favorite; adding it again changes nothing.',
    params: TrackId,
    errors: ['unauthenticated', 'not_found', 'subscribers_only'],
  },
  'DELETE /api/tracks/:id/favorite': {
    summary: 'Remove a favorite; removing it again changes nothing.',
    params: TrackId,
    errors: ['unauthenticated', 'not_found', 'subscribers_only'],
  },
  'GET /api/favorites': {
    summary: 'The user’s favorites, newest first.',
    query: PageQuery,
    response: pageOf(Track),
    errors: ['unauthenticated'],
  },
});
