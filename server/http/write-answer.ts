import build from 'fast-json-stringify';
import { z } from 'zod';

type WriteAnswer = (answer: unknown) => string;

/** A route's answers are written by what its schema names, and by nothing else: a field it does not know stays here. */
function compile(schema: z.ZodType): WriteAnswer {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: 'draft-7' });
  return build(json as Parameters<typeof build>[0]);
}

const compiled = new WeakMap<z.ZodType, WriteAnswer>();

/** Compiled when the first answer is written: a server has many routes, and starts before any is called. */
export function writeAnswer(schema: z.ZodType, answer: unknown): string {
  let write = compiled.get(schema);
  if (!write) {
    write = compile(schema);
    compiled.set(schema, write);
  }
  return write(answer);
}
