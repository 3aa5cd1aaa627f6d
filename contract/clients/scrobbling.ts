import { z } from 'zod';
import { defineRoutes } from '../route.ts';

/** `lastfm` is its protocol: the operator decides whether it is Last.fm or a compatible service. */
export const ScrobbleService = z.enum(['listenbrainz', 'lastfm']);
export type ScrobbleService = z.infer<typeof ScrobbleService>;

const ScrobbleAccount = z.object({
  username: z.string(),
  /** The address of the listener's own server; null for the service's. */
  server: z.string().nullable(),
  /** `refused`: the listener must connect again. `waiting`: the service doesn't answer at the moment. */
  state: z.enum(['connected', 'refused', 'waiting']),
  sentAt: z.number().nullable(),
  /** Listens that the service doesn't have yet. */
  queued: z.int(),
});
export type ScrobbleAccount = z.infer<typeof ScrobbleAccount>;

export const Scrobbling = z.object({
  isPaused: z.boolean(),
  listenbrainz: ScrobbleAccount.nullable(),
  lastfm: ScrobbleAccount.nullable(),
  /** What the operator has set up, such as `Last.fm`; null if nothing. */
  lastfmName: z.string().nullable(),
});
export type Scrobbling = z.infer<typeof Scrobbling>;

export const ListenBrainzBody = z.strictObject({
  token: z
    .string()
    .trim()
    .min(1, 'Paste your user token.')
    .max(200, 'This is too long for a token.')
    .regex(/^[\x21-\x7e]*$/, 'A token has no spaces and no special characters.'),
  /** For a server that speaks ListenBrainz's protocol, such as Maloja or Koito. */
  server: z.string().trim().max(300, 'This address is too long.').default(''),
});

export const LastfmBody = z.strictObject({
  token: z.string().regex(/^[\w-]{1,200}$/),
  /** From the address that connecting started with. */
  state: z.string().regex(/^[\w.-]{1,200}$/),
});

const errors = [
  'unauthenticated',
  'service_refused',
  'service_unreachable',
  'rate_limited',
] as const;

export const scrobblingRoutes = defineRoutes({
  'GET /api/me/scrobbling': {
    summary: 'Which services get what you listen to.',
    response: Scrobbling,
    errors: ['unauthenticated'],
  },
  'PATCH /api/me/scrobbling': {
    summary: 'Pause or continue sending what you listen to.',
    body: z.strictObject({ isPaused: z.boolean() }),
    response: Scrobbling,
    errors: ['unauthenticated', 'rate_limited'],
  },
  'PUT /api/me/scrobbling/listenbrainz': {
    summary: 'Connect ListenBrainz, or a server with the same protocol, by your user token.',
    body: ListenBrainzBody,
    response: Scrobbling,
    errors,
  },
  'POST /api/me/scrobbling/lastfm': {
    summary: 'Start to connect Last.fm; returns the page to confirm it on.',
    response: z.object({ url: z.string() }),
    errors: ['unauthenticated', 'not_found', 'rate_limited'],
  },
  'PUT /api/me/scrobbling/lastfm': {
    summary: 'Finish connecting Last.fm with what its page sent back.',
    body: LastfmBody,
    response: Scrobbling,
    errors: [...errors, 'not_found'],
  },
  'DELETE /api/me/scrobbling/:service': {
    summary: 'Disconnect a service: its token and whatever it did not get yet are deleted.',
    params: z.object({ service: ScrobbleService }),
    response: Scrobbling,
    errors: ['unauthenticated', 'rate_limited'],
  },
});
