import { z } from 'zod';
import { failure, PaymentsError, refusal, type PaymentsErrorKind } from '../payments.ts';

const PAGE_LIMIT = 20;

/** The errors of the official client, described here because the client is loaded only when needed. */
const StripeFailure = z.object({
  type: z.string().startsWith('Stripe'),
  message: z.string(),
  statusCode: z.int().optional(),
  code: z.string().optional(),
});

/** Server errors and conflicts are temporary. A wrong key says nothing about a payment. */
function toErrorKind(status: number | undefined, code: string | undefined): PaymentsErrorKind {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404 || code === 'resource_missing') return 'not-found';
  const isTemporary = status === undefined || status >= 500 || status === 409 || status === 429;
  return isTemporary ? 'temporary' : 'refused';
}

function describeError(error: unknown): PaymentsError {
  const details = StripeFailure.safeParse(error).data;
  const kind = toErrorKind(details?.statusCode, details?.code);
  const what = kind === 'temporary' ? 'Stripe failed' : 'Stripe refused';
  const message = details?.message.slice(0, 200) ?? 'no response';
  return new PaymentsError(`${what}: ${message}`, kind, error);
}

/** Validates the response. */
export async function askStripe<T>(schema: z.ZodType<T>, answer: Promise<unknown>): Promise<T> {
  let body: unknown;
  try {
    body = await answer;
  } catch (error) {
    throw describeError(error);
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw failure('Stripe’s response has an unknown format.', parsed.error);
}

/** All items of a list, newest first. A search for one of them, `until`, gives up after many pages. */
export async function listStripe<T extends { id: string }>(
  schema: z.ZodType<{ data: T[]; has_more: boolean }>,
  ask: (page: { limit: number; starting_after?: string }) => Promise<unknown>,
  until?: (item: T) => boolean,
): Promise<T[]> {
  const items: T[] = [];
  for (let page = 0; page < PAGE_LIMIT; page += 1) {
    const last = items.at(-1);
    const { data, has_more } = await askStripe(
      schema,
      ask({ limit: 100, ...(last && { starting_after: last.id }) }),
    );
    items.push(...data);
    if (!has_more || (until && data.some(until))) return items;
  }
  // Half a list would be a wrong sum.
  if (!until) throw refusal('Stripe’s list is too long.');
  return items;
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof PaymentsError && StripeFailure.safeParse(error.cause).data?.code === code;

export const isMissing = (error: unknown): boolean => hasCode(error, 'resource_missing');

export const alreadyExists = (error: unknown): boolean => hasCode(error, 'resource_already_exists');
