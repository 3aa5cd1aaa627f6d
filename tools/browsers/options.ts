import { parseArgs } from 'node:util';

type Known = { browsers: string[]; journeys: string[] };

export type Options = Known & {
  /** Browsers that must be here. */
  required: string[];
  /** Where pictures go. */
  pictures: string | null;
};

function pick(given: string | undefined, known: string[], what: string): string[] {
  const names = given?.split(',').map((name) => name.trim()) ?? [];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`No ${what} is called ${unknown.join(', ')}. There are ${known.join(', ')}.`);
  return names;
}

/** Refuses what it doesn't know: a journey that nobody made must not look like one that went well. */
export function readOptions(args: string[], known: Known): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      journey: { type: 'string' },
      need: { type: 'string' },
      pictures: { type: 'string' },
    },
  });
  const required = pick(values.need, known.browsers, 'browser');
  const browsers = pick(values.only, known.browsers, 'browser');
  const journeys = pick(values.journey, known.journeys, 'journey');
  return {
    browsers: browsers.length > 0 ? [...new Set([...browsers, ...required])] : known.browsers,
    journeys: journeys.length > 0 ? journeys : known.journeys,
    required,
    pictures: values.pictures ?? null,
  };
}
