import { z } from 'zod';
import { defineRoutes } from './route.ts';
import { Track } from './tracks.ts';

/**
 * What everyone learns about a list of tracks that someone sent them: its name, how many of them
 * visitors can open, the first sleeves, and one track to hear.
 */
export const ListTeaser = z.object({
  name: z.string(),
  trackCount: z.int(),
  /** At most four. */
  sleeves: z.array(Track.pick({ id: true, weekNumber: true, coverUrl: true })),
  /** The first track, with its preview; null if visitors can open none. */
  first: Track.nullable(),
});
export type ListTeaser = z.infer<typeof ListTeaser>;

export const sharedLinkRoutes = defineRoutes({
  'GET /api/shared-playlists/:token/teaser': {
    summary: 'A shared playlist as visitors see it: nothing about its owner, and one mix to hear.',
    params: z.object({ token: z.string().max(64) }),
    response: ListTeaser,
    errors: ['not_found'],
  },
  'GET /api/artists/:id/teaser': {
    summary: 'An artist as visitors see them: their newest mixes, and one to hear.',
    params: z.object({ id: z.string().max(64) }),
    response: ListTeaser,
    errors: ['not_found', 'subscribers_only'],
  },
});
