import { z } from 'zod';
import { failure, PaymentsError, type PaymentsErrorKind } from '../payments.ts';
import { hideTokens, readBounded } from '../provider-answers.ts';

const PAGE_SIZE = 100;
/** More than any site sells between two looks at its account. */
const PAGE_LIMIT = 500;

export type PaystackApi = {
  get: <T>(path: string, schema: z.ZodType<T>) => Promise<T>;
  post: <T>(path: string, body: object, schema: z.ZodType<T>) => Promise<T>;
  /** All pages of a list, newest first as Paystack sends it. */
  list: <T>(
    path: string,
    query: Record<string, string | number>,
    schema: z.ZodType<T>,
  ) => Promise<T[]>;
};

export const path = (...parts: string[]) => `/${parts.map(encodeURIComponent).join('/')}`;

/** A wrong key says nothing about a payment. Some missing objects are a bad request to Paystack. */
function toErrorKind(status: number, code: string, message: string): PaymentsErrorKind {
  if (status === 401 || status === 403) return 'unauthorized';
  const isMissing = code.endsWith('_not_found') || (code === '' && /\bnot found\b/i.test(message));
  return status === 404 || (status === 400 && isMissing) ? 'not-found' : 'refused';
}

export class PaystackRefusal extends PaymentsError {
  readonly status: number;
  /** Paystack's error code, if it sends one. */
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(`Paystack refused: ${message}`, toErrorKind(status, code, message));
    this.status = status;
    this.code = code;
  }
}

const Meta = z
  .object({ pageCount: z.int().min(0) })
  .nullable()
  .catch(null);
const Answer = z.object({ status: z.literal(true), data: z.unknown().optional(), meta: Meta });
const Refusal = z.object({ message: z.string().default(''), code: z.string().default('') });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The error itself would quote the response.
    throw failure('Paystack’s response is not JSON.');
  }
}

/** Server errors are temporary; other refusals are lasting. */
function refuseStatus(status: number, body: unknown): never {
  if (status >= 500 || status === 429 || status === 408)
    throw failure(`Paystack responded with ${status}.`);
  const refusal = Refusal.safeParse(body);
  const { message, code } = refusal.data ?? { message: '', code: '' };
  throw new PaystackRefusal(status, code, hideTokens(message) || `status ${status}`);
}

export function createPaystackApi(settings: {
  api: string;
  secretKey: string;
  timeoutMs: number;
}): PaystackApi {
  const { api, secretKey, timeoutMs } = settings;

  async function send(address: string, body?: object): Promise<{ status: number; text: string }> {
    try {
      const response = await fetch(`${api}${address}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          authorization: `Bearer ${secretKey}`,
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { status: response.status, text: await readBounded(response) };
    } catch (error) {
      if (error instanceof PaymentsError) throw error;
      throw failure('Paystack doesn’t respond.', error);
    }
  }

  async function ask<T>(address: string, schema: z.ZodType<T>, body?: object) {
    const { status, text } = await send(address, body);
    if (status < 200 || status > 299) {
      const isServerError = status >= 500;
      refuseStatus(status, isServerError ? null : parseJson(text));
    }
    const answer = Answer.safeParse(parseJson(text));
    const data = schema.safeParse(answer.data?.data);
    if (!answer.success || !data.success)
      throw failure('Paystack’s response has an unknown format.', answer.error ?? data.error);
    return { data: data.data, meta: answer.data.meta };
  }

  const call = async <T>(address: string, schema: z.ZodType<T>, body?: object): Promise<T> =>
    (await ask(address, schema, body)).data;

  return {
    get: (address, schema) => call(address, schema),
    post: (address, body, schema) => call(address, schema, body),
    list: async (listPath, query, schema) => {
      const items = [];
      for (let page = 1; page <= PAGE_LIMIT; page += 1) {
        const search = new URLSearchParams();
        for (const [name, value] of Object.entries({ ...query, perPage: PAGE_SIZE, page }))
          search.set(name, String(value));
        const { data, meta } = await ask(`${listPath}?${search.toString()}`, z.array(schema));
        items.push(...data);
        // Pages may be shorter than requested, so only the metadata says which one is the last.
        const isLast = meta === null ? data.length < PAGE_SIZE : page >= meta.pageCount;
        if (isLast || data.length === 0) return items;
      }
      // Half a list would be a wrong sum.
      throw failure('Paystack returns too many pages.');
    },
  };
}
