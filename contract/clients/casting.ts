import { z } from 'zod';
import { defineRoutes } from '../route.ts';

export const CastRendition = z.enum(['stream', 'dataSaver']);
export type CastRendition = z.infer<typeof CastRendition>;

export const castingRoutes = defineRoutes({
  'POST /api/tracks/:id/cast': {
    summary:
      'A URL of the audio for a speaker or a television, which has no session: it works for some minutes, and longer while this device reports that it plays.',
    params: z.object({ id: z.string().max(64) }),
    body: z.strictObject({ rendition: CastRendition }),
    response: z.object({ url: z.string() }),
    errors: ['unauthenticated', 'not_found', 'subscribers_only', 'rate_limited'],
  },
});
