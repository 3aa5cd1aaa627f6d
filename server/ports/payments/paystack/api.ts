import { z } from 'zod';
import { PaymentsError } from '../payments.ts';
import { readBounded } from '../read-bounded.ts';

const PAGE_SIZE = 100;
const PAGE_LIMIT = 50;

export type PaystackApi = {
  get: <T>(path: string, schema: z.ZodType<T>) => Promise<T>;
  post: <T>(path: string, body: object, schema: z.ZodType<T>) => Promise<T>;
  /** Every page of a list, the newest first as Paystack sends it. */
  list: <T>(
    path: string,
    query: Record<string, string | number>,
    schema: z.ZodType<T>,
  ) => Promise<T[]>;
};

export class PaystackRefusal extends PaymentsError {
  readonly status: number;
  /** Paystack's own word for what is wrong, where it has one. */
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(`Paystack refused: ${message}`, { isLasting: true });
    this.status = status;
    this.code = code;
  }
}

const Refusal = z.object({ message: z.string().default(''), code: z.string().default('') });

const fail = (message: string, cause?: unknown) =>
  new PaymentsError(message, { isLasting: false, cause });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw fail('Paystack does not answer with JSON.', error);
  }
}

/** Trouble at their end passes; what they do not accept stays unacceptable. */
function refuseStatus(status: number, body: unknown): never {
  if (status >= 500 || status === 429 || status === 408)
    throw fail(`Paystack answered with ${status}.`);
  const refusal = Refusal.safeParse(body);
  const { message, code } = refusal.data ?? { message: '', code: '' };
  throw new PaystackRefusal(status, code, message.slice(0, 200) || `status ${status}`);
}

export function createPaystackApi(settings: {
  api: string;
  secretKey: string;
  timeoutMs: number;
}): PaystackApi {
  const { api, secretKey, timeoutMs } = settings;

  async function send(path: string, body?: object): Promise<{ status: number; text: string }> {
    try {
      const response = await fetch(`${api}${path}`, {
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
      throw fail('Paystack does not answer.', error);
    }
  }

  async function call<T>(path: string, schema: z.ZodType<T>, body?: object): Promise<T> {
    const { status, text } = await send(path, body);
    if (status < 200 || status > 299) {
      const isTrouble = status >= 500;
      refuseStatus(status, isTrouble ? null : parseJson(text));
    }
    const answer = z.object({ status: z.literal(true), data: schema }).safeParse(parseJson(text));
    if (!answer.success) throw fail('Paystack answers something unknown.', answer.error);
    return answer.data.data;
  }

  return {
    get: (path, schema) => call(path, schema),
    post: (path, body, schema) => call(path, schema, body),
    list: async (path, query, schema) => {
      const items = [];
      for (let page = 1; page <= PAGE_LIMIT; page += 1) {
        const search = new URLSearchParams();
        for (const [name, value] of Object.entries({ ...query, perPage: PAGE_SIZE, page }))
          search.set(name, String(value));
        const found = await call(`${path}?${search.toString()}`, z.array(schema));
        items.push(...found);
        if (found.length < PAGE_SIZE) return items;
      }
      throw fail('Paystack has more pages than can be right.');
    },
  };
}
