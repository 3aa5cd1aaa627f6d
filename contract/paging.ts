import { z } from 'zod';

/** A list continues after the cursor of the previous page. */
export const PageQuery = z.strictObject({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).optional(),
});
export type PageQuery = z.output<typeof PageQuery>;

export const DEFAULT_PAGE_SIZE = 20;

/** A page of a list; without a `nextCursor` it is the last one. */
export type Page<T> = { items: T[]; nextCursor: string | null };
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

/** A list that always fits on one page, so it takes neither `cursor` nor `limit`. */
export type ShortList<T> = { items: T[]; nextCursor: null };
export const shortListOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.null() });
