const MOST = 8;
const MAX_LENGTH = 200;

/** A machine that people share keeps what each of them looked for apart. */
const keyFor = (userId: string): string => `recent-searches:${userId}`;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH;

export function parseRecent(stored: string | null): string[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter(isText).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** The newest first; the same text in other letters is the same search. */
export const addRecent = (recent: readonly string[], text: string): string[] =>
  [text, ...recent.filter((other) => other.toLowerCase() !== text.toLowerCase())].slice(0, MOST);

export function readRecent(userId: string | undefined): string[] {
  if (!userId) return [];
  try {
    return parseRecent(localStorage.getItem(keyFor(userId)));
  } catch {
    return [];
  }
}

export function rememberSearch(userId: string, text: string): void {
  try {
    const recent = addRecent(readRecent(userId), text.slice(0, MAX_LENGTH));
    localStorage.setItem(keyFor(userId), JSON.stringify(recent));
  } catch {
    // A browser that refuses storage searches without a memory.
  }
}

export function forgetSearches(userId: string): void {
  try {
    localStorage.removeItem(keyFor(userId));
  } catch {
    // Nothing was kept where nothing can be.
  }
}
