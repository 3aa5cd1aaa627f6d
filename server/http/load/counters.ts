/**
 * What this process has counted since its start. Counting is an addition, so it always happens;
 * `/metrics` shows the figures to operators. Labels are words of ours, never of a client.
 */
export type Figure = {
  name: string;
  help: string;
  type: 'counter' | 'gauge';
  labels: readonly string[];
  /** By the values of the labels, one per line. */
  values: Map<string, number>;
};

const figures: Figure[] = [];

export const listFigures = (): readonly Figure[] => figures;

function define(figure: Omit<Figure, 'values'>) {
  const values = new Map<string, number>();
  // A figure without labels exists from the start, so that nobody takes 0 for missing.
  if (figure.labels.length === 0) values.set('', 0);
  figures.push({ ...figure, values });
  return (amount: number, labels: readonly string[]) => {
    const key = labels.join('\n');
    values.set(key, (values.get(key) ?? 0) + amount);
  };
}

/** Returns a function that counts one more: `countRefusal('invalid_credentials')`. */
export function defineCounter(name: string, help: string, labels: readonly string[] = []) {
  const add = define({ name, help, type: 'counter', labels });
  return (...values: string[]): void => add(1, values);
}

/** Something that begins and ends: returns how many more or fewer there are. */
export function defineGauge(name: string, help: string) {
  const add = define({ name, help, type: 'gauge', labels: [] });
  return (change: 1 | -1): void => add(change, []);
}
