/** What the words of an operator can say in braces. */
export type MailWordsName = 'greeting' | 'releaseIntro' | 'releaseEnd' | 'premiumWelcome';
export type MailWords = Record<MailWordsName, string>;

type Rule = {
  placeholders: readonly string[];
  maxLength: number;
  byDefault: string;
};

const ofRelease = ['week', 'year', 'title', 'length', 'site'];

/**
 * `{mixes}` becomes `All 44 mixes of 2026`, `{how}` `in full, online or off`, or what holds now, and
 * `{length}` `1 h 10 min`.
 */
export const mailWords: Record<MailWordsName, Rule> = {
  greeting: { placeholders: ['name', 'site'], maxLength: 80, byDefault: 'Hello {name},' },
  releaseIntro: {
    placeholders: ofRelease,
    maxLength: 1000,
    byDefault: 'Week {week} is out on {site}.',
  },
  releaseEnd: { placeholders: ofRelease, maxLength: 1000, byDefault: '' },
  premiumWelcome: {
    placeholders: ['mixes', 'how', 'site'],
    maxLength: 1000,
    byDefault: 'You’re in. {mixes}, {how}.',
  },
};

const PLACEHOLDER = /\{([^{}\n]*)\}/gu;

const inBraces = (names: readonly string[]): string[] => names.map((name) => `{${name}}`);

/** A sentence about the first thing in braces that isn't known; null if there is none. */
export function findWordsProblem(name: MailWordsName, text: string): string | null {
  const { placeholders } = mailWords[name];
  const unknown = [...text.matchAll(PLACEHOLDER)].find(
    ([, word = '']) => !placeholders.includes(word),
  );
  if (!unknown) return null;
  const known = inBraces(placeholders);
  return `${unknown[0]} means nothing here. You can use ${known.slice(0, -1).join(', ')} and ${known.at(-1)}.`;
}

/** Replaces once, so that braces in a title stay as they are. */
export const fillWords = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(PLACEHOLDER, (whole, word: string) => values[word] ?? whole);
