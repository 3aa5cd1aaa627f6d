import { z } from 'zod';

/** How every list is read on: from where the last page ended, at most so many at a time. */
export const PageQuery = z.strictObject({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).optional(),
});
export type PageQuery = z.output<typeof PageQuery>;

export const DEFAULT_PAGE_SIZE = 20;
