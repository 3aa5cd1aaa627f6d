import { z } from 'zod';
import { PaymentsError } from '../payments.ts';

const PAGE_LIMIT = 20;

/** What the official client throws, without the client: it is loaded when it is needed. */
const StripeFailure = z.object({
  type: z.string().startsWith('Stripe'),
  message: z.string(),
  statusCode: z.int().optional(),
  code: z.string().optional(),
});

/** Trouble at their end passes; what they do not accept stays unacceptable. */
const isRefusal = (status: number | undefined): boolean =>
  status !== undefined && status >= 400 && status < 500 && status !== 409 && status !== 429;

function describeError(error: unknown): PaymentsError {
  const failure = StripeFailure.safeParse(error).data;
  const isLasting = isRefusal(failure?.statusCode);
  const what = isLasting ? 'Stripe refused' : 'Stripe fails';
  const message = failure?.message.slice(0, 200) ?? 'it does not answer';
  return new PaymentsError(`${what}: ${message}`, { isLasting, cause: error });
}

/** Asks, and believes nothing that does not look as it should. */
export async function askStripe<T>(schema: z.ZodType<T>, answer: Promise<unknown>): Promise<T> {
  let body: unknown;
  try {
    body = await answer;
  } catch (error) {
    throw describeError(error);
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const cause = parsed.error;
  throw new PaymentsError('Stripe answers something unknown.', { isLasting: false, cause });
}

/** Every item of a list, the newest first; `until` ends it early. */
export async function listStripe<T extends { id: string }>(
  schema: z.ZodType<{ data: T[]; has_more: boolean }>,
  ask: (page: { limit: number; starting_after?: string }) => Promise<unknown>,
  until: (item: T) => boolean = () => false,
): Promise<T[]> {
  const items: T[] = [];
  for (let page = 0; page < PAGE_LIMIT; page += 1) {
    const last = items.at(-1);
    const { data, has_more } = await askStripe(
      schema,
      ask({ limit: 100, ...(last && { starting_after: last.id }) }),
    );
    items.push(...data);
    if (!has_more || data.some(until)) return items;
  }
  return items;
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof PaymentsError && StripeFailure.safeParse(error.cause).data?.code === code;

export const isMissing = (error: unknown): boolean => hasCode(error, 'resource_missing');

export const isThereAlready = (error: unknown): boolean =>
  hasCode(error, 'resource_already_exists');
