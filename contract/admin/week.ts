import { z } from 'zod';
import { CANCEL_REASONS } from '../billing.ts';
import { defineRoutes } from '../route.ts';
import { DEPARTURE_WAYS } from '../rules/departures.ts';
import { CatalogueDetail, Rhythm } from './catalogue.ts';
import { FIRST_STEPS, SKIPPABLE_STEPS } from './first-steps.ts';
import { PAYMENT_ISSUE_KINDS } from './payment-issues.ts';

const errors = ['unauthenticated', 'not_found'] as const;
const TrackId = z.object({ id: z.string().max(64) });

/** `early`: only subscribers can play it yet. */
const ReleaseStage = z.enum(['draft', 'scheduled', 'early', 'out']);

const WeekTrack = z.object({
  id: z.string(),
  title: z.string(),
  year: z.int(),
  weekNumber: z.int(),
  status: z.enum(['processing', 'ready', 'failed']),
  /** Percentage of the processing done. */
  progress: z.int(),
  failure: z.string().nullable(),
  publishAt: z.int().nullable(),
  stage: ReleaseStage,
  plays: z.int(),
});
export type WeekTrack = z.infer<typeof WeekTrack>;

const Audience = z.object({ all: z.int(), subscribers: z.int() });

/** Whom a release reaches if it comes out now, without those who have already heard of it. */
export const Recipients = z.object({
  mails: Audience,
  devices: Audience,
  /** How many have already been told. */
  told: z.object({ mails: z.int(), devices: z.int() }),
  /** What happens to e-mails: in demo mode they go to the outbox, without a mail server nowhere. */
  delivery: z.enum(['smtp', 'outbox', 'none']),
});
export type Recipients = z.infer<typeof Recipients>;

/** A track that is being prepared or has come out. */
const StagedTrack = CatalogueDetail.extend({ stage: ReleaseStage, recipients: Recipients });
export type StagedTrack = z.infer<typeof StagedTrack>;

/** How a release went, in its first four weeks. */
const Outcome = WeekTrack.pick({
  id: true,
  title: true,
  year: true,
  weekNumber: true,
  publishAt: true,
  plays: true,
}).extend({
  /** Subscribers who started it, and the share of them who heard the end. */
  started: z.int(),
  finished: z.number().nullable(),
  /** Where most of them stopped before the end; null if too few started to say. */
  drop: z.object({ at: z.number(), share: z.number(), chapter: z.string().nullable() }).nullable(),
});
export type Outcome = z.infer<typeof Outcome>;

/** Who started paying, and who left. */
const People = z.object({
  /** The first day, and the release that came out then. */
  since: z.string(),
  release: WeekTrack.pick({ id: true, title: true, weekNumber: true }).nullable(),
  joined: z.int(),
  /** Of those, how many last heard a preview of which track before, the most first. */
  joinedFrom: z.array(
    WeekTrack.pick({ id: true, title: true, weekNumber: true }).extend({ count: z.int() }),
  ),
  left: z.int(),
  /** Why, the most frequent first. */
  reasons: z.array(
    z.object({
      way: z.enum(DEPARTURE_WAYS),
      reason: z.enum(CANCEL_REASONS).nullable(),
      count: z.int(),
    }),
  ),
});
export type People = z.infer<typeof People>;

/** What the site looks at by itself, day and night. */
export const CHECK_KINDS = [
  'mail',
  'disk',
  'backup',
  'jobs',
  'certificate',
  'clock',
  'errors',
] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

const ATTENTION_KINDS = [
  ...CHECK_KINDS,
  'failed-ingest',
  'failed-payments',
  'dead-jobs',
  'refused-letters',
  'seller-incomplete',
  'shared-access',
  'paused-jobs',
  ...PAYMENT_ISSUE_KINDS,
] as const;

const Check = z.object({
  /** Of these, `payments` follows from the charging of what is due. */
  kind: z.enum([...CHECK_KINDS, 'payments']),
  /** When that last worked; null if it never has. */
  lookedAt: z.int().nullable(),
  /** Why nobody knows whether all is well, as a sentence; null if somebody looked recently. */
  trouble: z.string().nullable(),
});
export type Check = z.infer<typeof Check>;

export const Week = z.object({
  asOf: z.int(),
  today: z.string(),
  week: z.object({ year: z.int(), week: z.int() }),
  rhythm: Rhythm,
  /** The track that is due, or has just come out; null if there is none for this week. */
  staged: StagedTrack.nullable(),
  /** This week’s tracks in any state. */
  releases: z.array(WeekTrack),
  /** Those of later weeks. */
  coming: z.array(WeekTrack),
  /** Of the staged track if it is out, otherwise of the last release. */
  outcome: Outcome.nullable(),
  people: People,
  playsToday: z.int(),
  attention: z.array(
    z.object({
      kind: z.enum(ATTENTION_KINDS),
      count: z.int(),
      text: z.string(),
      /** The page to look into it; null if that is on the server. */
      href: z.string().nullable(),
    }),
  ),
  /** Nothing is well because nobody looked. */
  checks: z.array(Check),
});
export type Week = z.infer<typeof Week>;

export const FirstSteps = z.object({
  steps: z.array(
    z.object({ name: z.enum(FIRST_STEPS), isDone: z.boolean(), isSkipped: z.boolean() }),
  ),
  /** The environment decides it, so no page can change it. */
  isNameFixed: z.boolean(),
  /** The sender of e-mails; null if there is no mail server. */
  mailFrom: z.string().nullable(),
  /** What the law requires a seller to publish but is still empty. */
  missingSeller: z.array(z.string()),
  provider: z.enum(['sandbox', 'paystack', 'stripe']),
  /** Only test cards can pay. */
  isTestMode: z.boolean(),
  /** The address of the site, and whether a payment provider can reach it. */
  origin: z.string(),
  isPublic: z.boolean(),
  /** An administrator has bought something that wasn't refunded. */
  purchase: z.enum(['none', 'paid', 'refunded']),
});
export type FirstSteps = z.infer<typeof FirstSteps>;

export const weekRoutes = defineRoutes({
  'GET /api/admin/week': {
    summary: 'The release of the week, how it went, who joined and left, and what needs a hand.',
    query: z.object({ track: z.string().max(64).optional() }),
    response: Week,
    errors,
  },
  'GET /api/admin/tracks/:id/recipients': {
    summary: 'How many members and devices are told if this track comes out now.',
    params: TrackId,
    response: Recipients,
    errors,
  },
  'GET /api/admin/first-steps': {
    summary: 'What is left to do before the first listener.',
    response: FirstSteps,
    errors,
  },
  'PUT /api/admin/first-steps/:step': {
    summary: 'Hide a step that nothing depends on, or show it again.',
    params: z.object({ step: z.enum(SKIPPABLE_STEPS, { error: 'This step can’t be skipped.' }) }),
    body: z.strictObject({ isSkipped: z.boolean() }),
    response: FirstSteps,
    errors,
  },
});
