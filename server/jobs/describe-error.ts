import { z } from 'zod';

const MAX_LENGTH = 500;

const messageOf = (error: unknown): string => {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  if (error instanceof Error) return error.message || error.name;
  return typeof error === 'string' ? error : 'A value that is not an error was thrown.';
};

/** Errors of other programs quote their input: URLs with passwords, headers, tokens. */
const SECRETS: [RegExp, string][] = [
  [/\/\/[^/\s]*@/g, '//…@'],
  [/\b(bearer|basic)\s+[^\s,;]+/gi, '$1 …'],
  [
    /\b(\w*(?:password|passwd|secret|token|api_?key))(["']?\s*[:=]\s*)(?:"[^"]*"|'[^']*'|[^\s,;&]+)/gi,
    '$1$2…',
  ],
  [/[\w+=-]{32,}/g, '…'],
];

/** A short text for administrators, without a stack. */
export const describeError = (error: unknown): string => {
  let text = messageOf(error).slice(0, 10 * MAX_LENGTH);
  for (const [pattern, replacement] of SECRETS) text = text.replaceAll(pattern, replacement);
  // PostgreSQL can't store NUL in text.
  text = text.replaceAll('\0', '');
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1)}…`;
};
