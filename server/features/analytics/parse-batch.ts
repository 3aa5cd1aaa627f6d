import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CLIENT_EVENTS, eventSchemas, type EventName } from '#contract/analytics.ts';
import type { EventsTable } from '../../db/tables.ts';
import { AppError } from '../../http/app-error.ts';
import { newId } from '../../ids.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';

/** The client sends at most 50 at once; told that this is too much, it sends half as many. */
export const MAX_BATCH = 100;

/** A browser can keep events for a visit that comes later; its clock can be a little fast. */
const OLDEST_MS = 30 * DAY;
const FASTEST_MS = 5 * MINUTE;

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
    throw new AppError('malformed_request', { message: 'The batch is not valid JSON.' });
  }
}

/** The client writes the batch into one field of a form: as JSON, or that in base64. */
export function parseBatch(form: string): unknown[] {
  const data = new URLSearchParams(form).get('data') ?? '';
  const isJson = /^\s*[[{]/.test(data);
  const batch = parseJson(isJson ? data : Buffer.from(data, 'base64').toString('utf8'));
  if (typeof batch !== 'object' || batch === null)
    throw new AppError('malformed_request', { message: 'The batch is not a list of events.' });
  const events: unknown[] = Array.isArray(batch) ? batch : [batch];
  if (events.length > MAX_BATCH) throw new AppError('payload_too_large');
  return events;
}

const parseOr = <T, F>(schema: z.ZodType<T>, value: unknown, otherwise: F): T | F =>
  schema.safeParse(value).data ?? otherwise;

const isClientEvent = (name: string): boolean =>
  CLIENT_EVENTS.some((clientEvent) => clientEvent === name);

/** The fields of the contract without those that name the person; null when it is no event of ours. */
function readFields(name: string, properties: Record<string, unknown>) {
  if (isClientEvent(name)) return {};
  if (!Object.hasOwn(eventSchemas, name)) return null;
  const parsed = eventSchemas[name as EventName].safeParse(properties);
  if (!parsed.success) return null;
  const { userId: _id, username: _name, ...fields } = parsed.data;
  return fields;
}

export type EventFacts = { now: number; userId: string | null };

/** What is kept of one event of a batch; null when it is none of the contract. */
export function readEvent(raw: unknown, { now, userId }: EventFacts): EventsTable | null {
  const { data: event } = RawEvent.safeParse(raw);
  if (!event) return null;
  const { event: name, properties } = event;
  const fields = readFields(name, properties);
  if (!fields) return null;
  const time = parseOr(Seconds, properties['time'], 0);
  const told = Math.round(time * 1000);
  const isBelievable = told > now - OLDEST_MS && told < now + FASTEST_MS;
  const device = parseOr(Name, properties['$device_id'], null);
  const insertId = parseOr(Name, properties['$insert_id'], null);
  const claimed = properties['userId'] ?? properties['$user_id'];
  return {
    // The client sends what it is not sure of again; the same event has the same id.
    id: insertId ? hashId([device ?? '', insertId, name, String(time)]) : newId(now),
    at: isBelievable ? Math.min(told, now) : now,
    name,
    user_id: userId !== null && claimed === userId ? userId : null,
    device,
    properties: JSON.stringify(fields),
  };
}

const hashId = (parts: string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 27);

/** What the daily numbers tell apart within an event. */
export function detailOf({ name, properties }: Pick<EventsTable, 'name' | 'properties'>): string {
  const { feature, action } = JSON.parse(properties) as { feature?: string; action?: string };
  if (name === 'Feature Usage') return `${feature} ${action}`;
  return name === 'User Engagement' ? (action ?? '') : '';
}
