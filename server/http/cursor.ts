import type { z } from 'zod';
import { AppError } from './app-error.ts';

/** Where a list goes on: opaque to the client, parsed as anything else that comes from outside. */
export const encodeCursor = (position: unknown): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

export const refuseCursor = (): AppError =>
  new AppError('validation_failed', {
    message: 'This list can no longer be continued. Start again from its beginning.',
    fields: { cursor: 'Use the cursor exactly as it was answered.' },
  });

export function decodeCursor<S extends z.ZodType>(schema: S, cursor: string): z.output<S> {
  try {
    const text = Buffer.from(cursor, 'base64url').toString();
    // PostgreSQL cannot even compare with a text that holds a NUL.
    if (text.includes('\\u0000')) throw new Error('NUL in a cursor');
    return schema.parse(JSON.parse(text));
  } catch {
    throw refuseCursor();
  }
}
