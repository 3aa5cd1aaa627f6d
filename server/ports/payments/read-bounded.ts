import { PaymentsError } from './payments.ts';

/** The longest honest answer is a page of a hundred payments. */
const ANSWER_LIMIT_BYTES = 4 * 1024 * 1024;

/** Reads no more than an honest answer has, whoever answers. */
export async function readBounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > ANSWER_LIMIT_BYTES)
      throw new PaymentsError('The answer of the provider is too long.', { isLasting: false });
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
