import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CLIENT_EVENTS, eventSchemas, type EventName } from '#contract/analytics.ts';
import type { AnalyticsEventsTable } from '../../db/types/tables.ts';
import { AppError } from '../../http/route/app-error.ts';
import { newId } from '../../db/ids.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';

/** The client sends at most 50 at once, and halves a batch that is rejected as too large. */
const MAX_BATCH = 100;

/** A browser may send events on a later visit, and its clock may be a little fast. */
const MAX_AGE_MS = 30 * DAY;
const MAX_FUTURE_MS = 5 * MINUTE;

const RawEvent = z.object({
  event: z.string().max(64),
  properties: z.record(z.string(), z.unknown()),
});
const Name = z.string().regex(/^[\w:$-]{1,64}$/);
const Seconds = z.number().positive().max(1e11);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('malformed_request', { message: 'The batch isn’t valid JSON.' });
  }
}

/** The client sends the batch in one form field: as JSON, or as JSON in base64. */
export function parseBatch(form: string): unknown[] {
  const data = new URLSearchParams(form).get('data') ?? '';
  const isJson = /^\s*[[{]/.test(data);
  const batch = parseJson(isJson ? data : Buffer.from(data, 'base64').toString('utf8'));
  if (typeof batch !== 'object' || batch === null)
    throw new AppError('malformed_request', { message: 'The batch isn’t a list of events.' });
  const events: unknown[] = Array.isArray(batch) ? batch : [batch];
  if (events.length > MAX_BATCH) throw new AppError('payload_too_large');
  return events;
}

const parseOr = <T, F>(schema: z.ZodType<T>, value: unknown, otherwise: F): T | F =>
  schema.safeParse(value).data ?? otherwise;

const isClientEvent = (name: string): boolean =>
  CLIENT_EVENTS.some((clientEvent) => clientEvent === name);

/** The contract's fields without those that identify the user; null for an unknown event. */
function parseFields(name: string, properties: Record<string, unknown>) {
  if (isClientEvent(name)) return {};
  if (!Object.hasOwn(eventSchemas, name)) return null;
  const parsed = eventSchemas[name as EventName].safeParse(properties);
  if (!parsed.success) return null;
  const { userId: _id, username: _name, ...fields } = parsed.data;
  return fields;
}

export type EventContext = { now: number; userId: string | null };

/** The row to store for one event of a batch; null for an unknown event. */
export function parseEvent(
  raw: unknown,
  { now, userId }: EventContext,
): AnalyticsEventsTable | null {
  const { data: event } = RawEvent.safeParse(raw);
  if (!event) return null;
  const { event: name, properties } = event;
  const fields = parseFields(name, properties);
  if (!fields) return null;
  const time = parseOr(Seconds, properties['time'], 0);
  const reportedAt = Math.round(time * 1000);
  const isPlausible = reportedAt > now - MAX_AGE_MS && reportedAt < now + MAX_FUTURE_MS;
  const device = parseOr(Name, properties['$device_id'], null);
  const insertId = parseOr(Name, properties['$insert_id'], null);
  const claimedUserId = properties['userId'] ?? properties['$user_id'];
  return {
    // The client may send an event twice; both copies get the same ID.
    id: insertId ? hashId([device ?? '', insertId, name, String(time)]) : newId(now),
    at: isPlausible ? Math.min(reportedAt, now) : now,
    name,
    user_id: userId !== null && claimedUserId === userId ? userId : null,
    device,
    properties: JSON.stringify(fields),
  };
}

const hashId = (parts: string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 27);

/** Daily totals are kept per detail. */
export function detailOf({
  name,
  properties,
}: Pick<AnalyticsEventsTable, 'name' | 'properties'>): string {
  const { feature, action } = JSON.parse(properties) as { feature?: string; action?: string };
  if (name === 'Feature Usage') return `${feature} ${action}`;
  return name === 'User Engagement' ? (action ?? '') : '';
}
