import { z } from 'zod';

/** Every list continues after the cursor of the last page. */
export const PageQuery = z.strictObject({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).optional(),
});
export type PageQuery = z.output<typeof PageQuery>;

export const DEFAULT_PAGE_SIZE = 20;
