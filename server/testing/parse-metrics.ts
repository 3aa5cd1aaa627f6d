/**
 * Reads the text format of Prometheus (version 0.0.4) and refuses what its own checker would: a value
 * without its type, a figure named twice, a counter not called `_total`, a histogram that shrinks.
 */
export type ParsedFamily = {
  name: string;
  type: string;
  samples: { name: string; labels: Record<string, string>; value: number }[];
};

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (-?[\d.e+-]+|NaN|[+-]Inf)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gy;

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  let read = 0;
  for (const [all, name = '', value = ''] of text.matchAll(LABEL)) {
    if (name in labels) throw new Error(`The label ${name} is there twice: ${text}`);
    labels[name] = value.replace(/\\(.)/g, (_, escaped: string) =>
      escaped === 'n' ? '\n' : escaped,
    );
    read += all.length;
  }
  if (read !== text.length) throw new Error(`These labels can't be read: ${text}`);
  return labels;
}

const belongsTo = ({ name, type }: ParsedFamily, sample: string): boolean =>
  type === 'histogram'
    ? ['_bucket', '_sum', '_count'].some((suffix) => sample === name + suffix)
    : sample === name;

function checkHistogram({ name, samples }: ParsedFamily) {
  const last = new Map<string, { le: number; value: number }>();
  for (const sample of samples.filter((one) => one.name === `${name}_bucket`)) {
    const { le = '', ...rest } = sample.labels;
    const key = JSON.stringify(rest);
    const limit = le === '+Inf' ? Infinity : Number(le);
    const before = last.get(key);
    if (before && (limit <= before.le || sample.value < before.value))
      throw new Error(`The buckets of ${name} don't grow: ${key}`);
    last.set(key, { le: limit, value: sample.value });
  }
  for (const [key, { le, value }] of last) {
    const count = samples.find(
      (one) => one.name === `${name}_count` && JSON.stringify(one.labels) === key,
    );
    if (le !== Infinity || count?.value !== value)
      throw new Error(`The last bucket of ${name} isn't its count: ${key}`);
  }
}

export function parseMetrics(text: string): ParsedFamily[] {
  if (!text.endsWith('\n')) throw new Error('The last line has no end.');
  const families: ParsedFamily[] = [];
  const seen = new Set<string>();
  let help = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (word === 'HELP') help = name;
    else if (word === 'TYPE') {
      if (!NAME.test(name) || help !== name) throw new Error(`No help before: ${line}`);
      if (families.some((known) => known.name === name)) throw new Error(`Twice: ${name}`);
      if ((rest === 'counter') !== name.endsWith('_total'))
        throw new Error(`Only a counter, and every counter, ends with _total: ${name}`);
      families.push({ name, type: rest, samples: [] });
    } else {
      const [, sample = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
      const family = families.at(-1);
      if (!family || !belongsTo(family, sample)) throw new Error(`Out of place: ${line}`);
      const key = `${sample}{${labels}}`;
      if (seen.has(key)) throw new Error(`Twice: ${key}`);
      seen.add(key);
      family.samples.push({ name: sample, labels: parseLabels(labels), value: Number(value) });
    }
  }
  for (const family of families) if (family.type === 'histogram') checkHistogram(family);
  return families;
}
