import { z } from 'zod';
import { failure, PaymentsError, type PaymentsErrorKind } from '../payments.ts';
import { hideTokens } from '../provider-answers.ts';

/** More than any site sells between two looks at its account. */
const PAGE_LIMIT = 500;

/** The errors of the official client, described here because the client is loaded only when needed. */
const StripeFailure = z.object({
  type: z.string().startsWith('Stripe'),
  message: z.string(),
  statusCode: z.int().optional(),
  code: z.string().optional(),
  param: z.string().optional(),
});

/** Server errors and conflicts are temporary. A wrong key says nothing about a payment. */
function toErrorKind(status: number | undefined, code: string | undefined): PaymentsErrorKind {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404 || code === 'resource_missing') return 'not-found';
  if (status === undefined || status >= 500) return 'temporary';
  return [408, 409, 425, 429].includes(status) ? 'temporary' : 'refused';
}

/** Without the client's own error, which contains the card's token. */
export class StripeProblem extends PaymentsError {
  readonly code: string | undefined;
  /** The part of the request that Stripe complains about. */
  readonly param: string | undefined;
  constructor(error: unknown) {
    const {
      message = 'no response',
      statusCode,
      code,
      param,
    } = StripeFailure.safeParse(error).data ?? {};
    const kind = toErrorKind(statusCode, code);
    const what = kind === 'temporary' ? 'Stripe failed' : 'Stripe refused';
    super(`${what}: ${hideTokens(message)}`, kind);
    this.code = code;
    this.param = param;
  }
}

/** Validates the response. */
export async function askStripe<T>(schema: z.ZodType<T>, answer: Promise<unknown>): Promise<T> {
  let body: unknown;
  try {
    body = await answer;
  } catch (error) {
    throw new StripeProblem(error);
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw failure('Stripe’s response has an unknown format.', parsed.error);
}

/** All items of a list, newest first, or until the first one that is wanted. */
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
  // Half a list would be a wrong sum, or deny a payment that was made.
  throw failure('Stripe’s list is too long.');
}
