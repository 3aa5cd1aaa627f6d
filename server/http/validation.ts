import type { z } from 'zod';
import { AppError } from './app-error.ts';

type Part = { name: 'params' | 'query' | 'body'; schema: z.ZodType | undefined; value: unknown };

const describeType = (type: string) =>
  ({
    string: 'This must be text.',
    number: 'This must be a number.',
    boolean: 'This must be true or false.',
    array: 'This must be a list.',
    object: 'This must be a JSON object.',
  })[type] ?? 'This value is invalid.';

/** Messages for what the contract's own messages don't cover. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_type') return undefined;
  return issue.input === undefined && (issue.path?.length ?? 0) > 0
    ? 'This field is required.'
    : describeType(issue.expected);
}

/** Keeps the answer small for a hostile body with thousands of errors. */
const MAX_FIELDS = 20;

function collectFields(part: Part, issues: readonly z.core.$ZodIssue[], into: Map<string, string>) {
  for (const issue of issues.slice(0, MAX_FIELDS)) {
    const path = issue.path.join('.');
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, MAX_FIELDS))
        into.set(path ? `${path}.${key}` : key, 'This field is unknown.');
    } else if (!into.has(path || part.name)) {
      into.set(path || part.name, issue.message);
    }
  }
}

function summarise(fields: Map<string, string>): string {
  const [first] = fields;
  if (fields.size === 1 && first) return `${first[0]}: ${first[1]}`;
  return `Some fields need attention: ${[...fields.keys()].join(', ')}.`;
}

/** PostgreSQL can't store NUL in text, and half a surrogate pair is no character. */
function findInvalidText(value: unknown, path: string): string | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : null;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return null;
  for (const [key, item] of Object.entries(value)) {
    const found = findInvalidText(item, path ? `${path}.${key}` : key);
    if (found !== null) return found;
  }
  return null;
}

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Parses every part of a request and reports all errors at once. */
export function parseRequest(parts: readonly Part[]): Record<Part['name'], unknown> {
  const fields = new Map<string, string>();
  const parsed: Record<Part['name'], unknown> = { params: {}, query: {}, body: undefined };
  for (const part of parts) {
    if (!part.schema) {
      if (!isEmpty(part.value)) fields.set(part.name, `This request takes no ${part.name}.`);
      continue;
    }
    const result = part.schema.safeParse(part.value, { error: describeIssue });
    if (!result.success) {
      collectFields(part, result.error.issues, fields);
      continue;
    }
    // After the schema, which limits the depth.
    const invalidText = findInvalidText(result.data, '');
    if (invalidText !== null) fields.set(invalidText, 'This text contains an invalid character.');
    parsed[part.name] = result.data;
  }
  if (fields.size > 0)
    throw new AppError('validation_failed', {
      message: summarise(fields),
      fields: Object.fromEntries(fields),
    });
  return parsed;
}
