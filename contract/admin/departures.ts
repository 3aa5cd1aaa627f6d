import { z } from 'zod';
import { CANCEL_REASONS, PlanName } from '../billing.ts';
import { DEPARTURE_WAYS } from '../rules/departures.ts';

export const Departure = z.object({
  id: z.string(),
  at: z.int(),
  way: z.enum(DEPARTURE_WAYS),
  /** What they answered when they cancelled, if they did. */
  reason: z.enum(CANCEL_REASONS).nullable(),
  /** What they wrote; deleted with the account. */
  comment: z.string().nullable(),
  plan: PlanName,
  /** Whole months that the subscription had lasted. */
  months: z.int(),
  /** The mix they had heard last. */
  track: z.object({ id: z.string(), title: z.string() }).nullable(),
  /** They went on after all. */
  takenBackAt: z.int().nullable(),
});
export type Departure = z.infer<typeof Departure>;
