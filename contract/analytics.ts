import { z } from 'zod';
import { defineRoutes } from './route.ts';

/** The client truncates longer texts. */
const MAX_TEXT = 255;
const text = z
  .string()
  .max(MAX_TEXT)
  // PostgreSQL can’t store a NUL in a text.
  .refine((value) => !value.includes('\0'))
  // The client may truncate in the middle of a character.
  .overwrite((value) => value.toWellFormed());
const size = z.string().regex(/^\d{1,5}x\d{1,5}$/);

/** Closed lists, so that the daily totals have a limited number of rows. */
const FEATURES = ['account', 'password-reset', 'playlists', 'preview'] as const;
const FEATURE_ACTIONS = ['create', 'delete', 'ended', 'logout', 'request', 'share'] as const;
const ENGAGEMENTS = ['add-to-playlist', 'complete', 'favorite', 'unfavorite'] as const;

const content = { content_id: text, content_type: z.enum(['track', 'playlist']) };
const track = { track_id: text, track_title: text };
const subscription = <const P extends 'monthly' | 'annual'>(plan: P) => ({
  plan_type: z.literal(plan),
  /** In rand, not cents. */
  amount: z.number().min(0).max(1_000_000),
  currency: z.literal('ZAR'),
  payment_method: text,
});

/** The fields specific to each event. */
const ownFields = {
  'Session Start': z.object({}),
  'Session End': z.object({}),
  'Page Viewed': z.object({ name: text }),
  'User Signup': z.object({}),
  'User Login': z.object({}),
  'Feature Usage': z.object({
    feature: z.enum(FEATURES),
    action: z.enum(FEATURE_ACTIONS),
    ...z.object(content).partial().shape,
  }),
  'Profile Update': z.object({ updated_fields: z.array(text).min(1).max(10) }),
  Search: z.object({ query: text, results_count: z.int().min(0).max(1_000_000) }),
  'User Engagement': z.object({ action: z.enum(ENGAGEMENTS), ...content }),
  'play-track': z.object(track),
  // Always `mp3` here; the chosen format is in the `downloads` table.
  'download-track': z.object({ ...track, content_type: z.literal('mp3') }),
  'subscribe-monthly': z.object(subscription('monthly')),
  'subscribe-annual': z.object(subscription('annual')),
  'Error Occurred': z.object({
    error_type: z.literal('React Error'),
    error_message: text,
    error_context: text,
  }),
};

/** The fields of every event; the user's only while logged in. */
export const CommonFields = z.object({
  platform: z.literal('web'),
  app_version: text,
  screen_resolution: size,
  viewport_size: size,
  timestamp: z.iso.datetime(),
  userId: text.optional(),
  username: text.optional(),
  account_type: z.enum(['premium', 'free']).optional(),
});
export type CommonFields = z.infer<typeof CommonFields>;

export type EventName = keyof typeof ownFields;
export type EventFields = { [N in EventName]: z.infer<(typeof ownFields)[N]> };

export const eventNames = Object.keys(ownFields) as EventName[];

/** Events the Mixpanel client sends on its own: the page it was loaded on, and a visitor who logs in. */
export const CLIENT_EVENTS = ['$mp_web_page_view', '$identify'] as const;

/** Only these fields of an event are stored. */
export const eventSchemas = Object.fromEntries(
  Object.entries(ownFields).map(([name, own]) => [name, CommonFields.extend(own.shape)]),
) as unknown as Record<EventName, z.ZodType<Record<string, unknown> & CommonFields>>;

export const analyticsRoutes = defineRoutes({
  // Not `/api/analytics`: ad blockers block such addresses.
  'POST /api/events': {
    summary: 'Receive a batch of analytics events; known events are stored, others dropped.',
    query: z.object({
      ip: z.string().max(1).optional(),
      verbose: z.string().max(1).optional(),
      _: z.string().max(20).optional(),
    }),
    body: 'form',
    // As the client expects it: 1 if the events were stored, 0 with the reason if they were not.
    response: z.union([
      z.object({ status: z.literal(1), error: z.null() }),
      z.object({ status: z.literal(0), error: z.string() }),
    ]),
    errors: ['payload_too_large', 'unsupported_media_type'],
  },
});
