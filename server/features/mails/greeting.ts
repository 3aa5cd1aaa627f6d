import { fillWords } from '#contract/rules/mail-words.ts';

const PLACEHOLDER_NAMES = /^(?:user|member|listener|guest|account|info|mail|test)$/iu;

/**
 * Imported accounts are named after an e-mail address, which may be random: nobody wants to be
 * greeted as `barmwls8xwc`. A real name that is taken for a random one is only not said.
 */
function looksGenerated(username: string): boolean {
  const letters = username.replace(/[^\p{L}]+/gu, '');
  return (
    [...letters].length < 2 ||
    PLACEHOLDER_NAMES.test(letters) ||
    /\p{N}\p{L}/u.test(username) ||
    /\p{N}{5}/u.test(username) ||
    // Names of Southern Africa have up to five consonants in a row.
    /[bcdfghjklmnpqrstvwxz]{6}/iu.test(username)
  );
}

/** The first line of a mail: `Hello Thandi,`, or `Hello,` to someone whose name nobody knows. */
export function greet(greeting: string, username: string | null, site: string): string {
  if (username !== null && !looksGenerated(username))
    return fillWords(greeting, { name: username, site });
  return fillWords(greeting.replace(/\s*\{name\}/gu, ''), { site });
}
