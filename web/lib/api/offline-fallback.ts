import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { ApiError } from './api.ts';

/** How long a page waits for a first answer before it shows what this device has kept. */
const PATIENCE_MS = 2_000;

export type Fallback = {
  /** What this device has kept, as the query would return it. */
  findFallback: () => Promise<unknown>;
  /** There is nothing to show. */
  onOverdue?: () => void;
};

type Question = Fallback & { client: QueryClient; queryKey: QueryKey; signal: AbortSignal };

const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status < 500;

/**
 * Loads the data of a query. If the first answer is late or fails, the query shows the last one that
 * this device has kept. That data has `dataUpdatedAt: 0`, which no answer of the server has.
 */
export async function loadWithFallback<T>(
  { client, queryKey, signal, findFallback, onOverdue }: Question,
  load: () => Promise<T>,
): Promise<T> {
  const hasData = () => client.getQueryData(queryKey) !== undefined;
  async function showKnown(): Promise<void> {
    const kept = hasData() ? undefined : await findFallback();
    if (kept !== undefined && !hasData()) client.setQueryData(queryKey, kept, { updatedAt: 0 });
  }
  const overdue = setTimeout(
    () => void showKnown().then(() => hasData() || onOverdue?.()),
    PATIENCE_MS,
  );
  try {
    return await load();
  } catch (error) {
    if (!signal.aborted && !isRefusal(error)) await showKnown();
    throw error;
  } finally {
    clearTimeout(overdue);
  }
}

/** The service worker keeps the last answers for the logged-in user, and deletes them on logout. */
export async function findKeptAnswer(url: string): Promise<unknown> {
  try {
    const kept = await caches.match(url);
    return await kept?.json();
  } catch {
    return undefined;
  }
}
