export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

const REPLACEMENTS: (Json | undefined)[] = [undefined, {}];

/** Every copy of a value with one part of it deleted or replaced; in lists, only in the first entry. */
export function* alter(value: Json): Generator<Json | undefined> {
  yield* REPLACEMENTS;
  if (value === null || typeof value !== 'object') return;
  const parts = Object.entries(value).slice(0, Array.isArray(value) ? 1 : undefined);
  for (const [key, part] of parts)
    for (const other of alter(part)) {
      const copy = structuredClone(value);
      Object.assign(copy, { [key]: other });
      yield copy;
    }
}
