import { defineRoutes } from './route.ts';

/** What has changed, never what it is now: whoever is told asks again, by the routes that check who may know. */
export type SignalTopic = 'me' | `admin:${string}`;

export const liveRoutes = defineRoutes({
  'GET /api/live': {
    summary:
      'A stream of what changed for this member, as server-sent events: `me`, and for administrators `admin:…`. Whoever is not signed in gets an empty 204.',
    response: 'events',
    errors: ['rate_limited'],
  },
});
