import { defineRoutes } from './route.ts';

/** Says that something changed, but not how: the client loads it again through a route that checks access. */
export type SignalTopic =
  | 'me'
  | 'me/achievements'
  | 'me/clips'
  | 'me/mixes'
  | 'me/streams'
  | `me/listening:${string}`
  | `admin:${string}`;

export const liveRoutes = defineRoutes({
  'GET /api/live': {
    summary:
      'Server-sent events about changes: `me` for the user’s own data, `me/achievements` when they earn one, `me/clips` when one of their clips is ready or couldn’t be made, `me/mixes` when a mix was taken down or put back, or other files may be kept, `me/streams` when a device stops because others listen, `me/listening:{trackId}` for how far they got in a track, `admin:…` for administrators. Returns an empty 204 if no one is logged in.',
    response: 'events',
    errors: ['rate_limited'],
  },
});
