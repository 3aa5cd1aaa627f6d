const MAX_SEARCHES = 8;
const MAX_LENGTH = 200;

const KEY_PREFIX = 'recent-searches:';

/** Separate for each user, because people share computers. */
const keyFor = (userId: string): string => KEY_PREFIX + userId;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH;

export function parseRecentSearches(stored: string | null): string[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter(isText).slice(0, MAX_SEARCHES) : [];
  } catch {
    return [];
  }
}

/** Newest first. Searches that differ only in upper and lower case count as one. */
export const addRecentSearch = (recent: readonly string[], text: string): string[] =>
  [text, ...recent.filter((other) => other.toLowerCase() !== text.toLowerCase())].slice(
    0,
    MAX_SEARCHES,
  );

export function listRecentSearches(userId: string | undefined): string[] {
  if (!userId) return [];
  try {
    return parseRecentSearches(localStorage.getItem(keyFor(userId)));
  } catch {
    return [];
  }
}

export function saveRecentSearch(userId: string, text: string): void {
  try {
    const recent = addRecentSearch(listRecentSearches(userId), text.slice(0, MAX_LENGTH));
    localStorage.setItem(keyFor(userId), JSON.stringify(recent));
  } catch {
    // Without storage there are simply no recent searches.
  }
}

export function clearRecentSearches(userId: string): void {
  try {
    localStorage.removeItem(keyFor(userId));
  } catch {
    // Without storage there is nothing to clear.
  }
}

/** For all users of this browser, once nobody is logged in any more. */
export function forgetRecentSearches(): void {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(KEY_PREFIX)) localStorage.removeItem(key);
  } catch {
    // Without storage there is nothing to forget.
  }
}
