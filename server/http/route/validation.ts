import { z } from 'zod';
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

/** Enough for the fields of any form. */
const MAX_NAMES = 40;

const listAnd = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** The names that a part of a request may have, as a phrase; null if they aren't known. */
function listNames({ schema }: Part): string | null {
  if (!(schema instanceof z.ZodObject)) return null;
  const names = Object.keys(schema.shape);
  return names.length > 0 && names.length <= MAX_NAMES ? listAnd.format(names) : null;
}

/** Someone wrote the request by hand or with an old program, and needs to know what to write instead. */
function describeUnknown(part: Part, isNested: boolean): string {
  const names = isNested ? null : listNames(part);
  return `There’s no such field here: leave it out.${names ? ` You can send ${names}.` : ''}`;
}

/** What is wrong with the whole of a part, which has no name that a person would know. */
function describePart(part: Part): string {
  const names = listNames(part);
  return `Send a JSON object${names ? ` with ${names}` : ''}.`;
}

const WITHOUT = {
  params: 'without parameters',
  query: 'without a query string',
  body: 'without a body',
};

/** By field. A sentence about a whole part needs no name in front of it. */
type Problems = Map<string, { text: string; isWhole?: true }>;

function collectFields(part: Part, issues: readonly z.core.$ZodIssue[], into: Problems) {
  for (const issue of issues.slice(0, MAX_FIELDS)) {
    const path = issue.path.join('.');
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, MAX_FIELDS))
        into.set(path ? `${path}.${key}` : key, { text: describeUnknown(part, path !== '') });
    } else if (path === '' && issue.code === 'invalid_type' && issue.expected === 'object') {
      into.set(part.name, { text: describePart(part), isWhole: true });
    } else if (!into.has(path || part.name)) {
      into.set(path || part.name, { text: issue.message });
    }
  }
}

function summarise(fields: Problems): string {
  const [[name, problem] = []] = fields;
  if (fields.size === 1 && problem)
    return problem.isWhole ? problem.text : `${name}: ${problem.text}`;
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
  const fields: Problems = new Map();
  const parsed: Record<Part['name'], unknown> = { params: {}, query: {}, body: undefined };
  for (const part of parts) {
    if (!part.schema) {
      if (!isEmpty(part.value))
        fields.set(part.name, { text: `Send this request ${WITHOUT[part.name]}.`, isWhole: true });
      continue;
    }
    const result = part.schema.safeParse(part.value, { error: describeIssue });
    if (!result.success) {
      collectFields(part, result.error.issues, fields);
      continue;
    }
    // After the schema, which limits the depth.
    const invalidText = findInvalidText(result.data, '');
    if (invalidText !== null)
      fields.set(invalidText, { text: 'This text contains an invalid character.' });
    parsed[part.name] = result.data;
  }
  if (fields.size > 0)
    throw new AppError('validation_failed', {
      message: summarise(fields),
      fields: Object.fromEntries([...fields].map(([name, { text }]) => [name, text])),
    });
  return parsed;
}
