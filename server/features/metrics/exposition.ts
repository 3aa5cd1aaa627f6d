/** A metric with all its values, as in the text format of Prometheus. */
export type Family = {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: Sample[];
};
export type Sample = {
  /** For the parts of a histogram. */
  suffix?: '_bucket' | '_sum' | '_count';
  labels?: Record<string, string>;
  value: number;
};

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const escapeHelp = (text: string) => text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n');
const escapeLabel = (text: string) => escapeHelp(text).replace(/"/g, '\\"');

function formatSample(name: string, { suffix, labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${suffix ?? ''}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
}

/** The text that Prometheus reads. */
export const formatMetrics = (families: readonly Family[]): string =>
  families
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${escapeHelp(help)}`,
      `# TYPE ${name} ${type}`,
      ...samples.map((sample) => formatSample(name, sample)),
    ])
    .map((line) => `${line}\n`)
    .join('');
