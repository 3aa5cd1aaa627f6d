import { availableParallelism, totalmem } from 'node:os';
import { findPercentile, type KindResult } from './journal.ts';
import type { ClientUsage, Kind } from './load-client.ts';
import { RELEASE_KINDS } from './release-people.ts';
import type { LoadReport, Phase, Watched } from './run-load.ts';
import { countFailed, type ReleaseReport } from './run-release.ts';
import { MODES, type Mode } from './start-site.ts';

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const ms = (value: number) => `${Math.round(value)} ms`;
const mb = (value: number) => `${Math.round(value)} MB`;

const describeMachine = (what: string, mode: Mode, loadBefore: number): string =>
  `${what}, ${MODES[mode]}, on ${availableParallelism()} cores with ${Math.round(totalmem() / 2 ** 30)} GB, shared with the clients; load before: ${loadBefore.toFixed(1)}`;

function describeKind(kind: string, { statuses, p50, p99, max }: KindResult): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${status} × ${count}`);
  return `  ${kind}: p50 ${ms(p50)}, p99 ${ms(p99)}, max ${ms(max)} (${counts.join(', ') || 'none'})`;
}

function describeWatched({ memory, lag, processors }: Watched, { clients }: ClientUsage): string[] {
  const at = (index: number) => mb(memory.at(index) ?? 0);
  const all = { ...processors, clients: clients.processors };
  const used = Object.entries(all).filter(([, value]) => value >= 0.005);
  return [
    `  memory: ${at(0)} at the start, ${at(memory.length >> 1)} in the middle, ${at(-1)} at the end, ${mb(Math.max(0, ...memory))} at most`,
    `  processors: ${used.map(([name, value]) => `${name} ${value.toFixed(2)}`).join(', ') || 'unknown'}`,
    `  event loop: p50 ${ms(lag.p50)}, p99 ${ms(lag.p99)}, max ${ms(lag.max)} late; that of the clients p50 ${ms(clients.lag.p50)}, p99 ${ms(clients.lag.p99)}`,
  ];
}

function countAnswers({ kinds }: Phase) {
  const counts = Object.values(kinds).map(({ statuses }) => statuses);
  const total = sum(counts.flatMap((statuses) => Object.values(statuses)));
  return { total, refused: sum(counts.map((statuses) => statuses['503'] ?? 0)) };
}

function describePhase(phase: Phase): string[] {
  const { name, kinds, seconds, unexpected } = phase;
  const { total, refused } = countAnswers(phase);
  return [
    `${name}: ${total} requests in ${Math.round(seconds)} s, ${Math.round(total / seconds)}/s, ${refused} answered with 503, ${unexpected.length} unexpected answers`,
    ...Object.entries(kinds).map(([kind, result]) => describeKind(kind, result)),
    ...describeWatched(phase, phase),
    ...unexpected.map((problem) => `  unexpected: ${problem}`),
  ];
}

const API: Kind[] = ['api', 'play', 'heartbeat'];
const API_P99_MS = 100;
/** What we promise, and whether it was so. */
function summarise({ options, heapBefore, below, above, unexpected }: LoadReport): string[] {
  const { listeners, rate } = options;
  const p99 = Math.max(...API.map((kind) => below.kinds[kind].p99));
  const [calm, busy] = [countAnswers(below), countAnswers(above)];
  const answered = Math.round((busy.total - busy.refused) / above.seconds);
  const perListener = (listeners / rate).toFixed(1);
  return [
    'In short:',
    `  ${rate} requests a second, one of each listener every ${perListener} s: p99 of the API ${ms(p99)} (${p99 < API_P99_MS ? 'below' : 'NOT BELOW'} ${API_P99_MS} ms), ${calm.refused} of ${calm.total} answered with 503`,
    ...(calm.refused > 0
      ? ['  This was above the limit of this machine: try again when it is idle, or with --rate.']
      : []),
    `  as many requests as they can: ${answered} answered a second, ${busy.refused} of ${busy.total} with 503`,
    `  ${unexpected.length === 0 ? 'nothing' : 'SOMETHING'} failed in another way than 503`,
    `  kept in memory: ${mb(heapBefore)} at first, then ${mb(below.heap)} and ${mb(above.heap)}`,
  ];
}

/** The lines of the report. */
export const describeLoad = (report: LoadReport): string[] => [
  describeMachine(`${report.options.listeners} listeners`, report.options.mode, report.loadBefore),
  ...describePhase(report.below),
  ...describePhase(report.above),
  ...summarise(report),
];

const STEP_SECONDS = 10;
const RELEASE_P99_MS = 300;

export function describeRelease(report: ReleaseReport): string[] {
  const { options, kinds, steps, people, servedAtOnce, waits, unexpected } = report;
  const busiest = steps.toSorted((a, b) => b.requests - a.requests)[0];
  const slowest = Math.max(...RELEASE_KINDS.map((kind) => kinds[kind].p99));
  const shed = sum(steps.map((step) => step.shed));
  return [
    describeMachine(
      `A release mail to ${options.members} members, of whom ${Math.round(options.share * 100)} % open the mix`,
      options.mode,
      report.loadBefore,
    ),
    ...RELEASE_KINDS.map((kind) => describeKind(kind, kinds[kind])),
    ...describeWatched(report, report),
    ...unexpected.map((problem) => `  unexpected: ${problem}`),
    'Every ten seconds:',
    ...steps.map(
      (step, index) =>
        `  ${String(index * STEP_SECONDS).padStart(4)} s: ${step.mails} mails, ${step.people} people, ${Math.round(step.requests / STEP_SECONDS)} requests/s, p50 ${ms(step.p50)}, p99 ${ms(step.p99)}, ${step.shed} answered with 503`,
    ),
    'In short:',
    `  ${report.mails} mails, ${people} people, ${report.listening} listening at the end; at most ${Math.round((busiest?.requests ?? 0) / STEP_SECONDS)} requests a second`,
    `  p99 of the slowest kind ${ms(slowest)} (${slowest < RELEASE_P99_MS ? 'below' : 'NOT BELOW'} ${RELEASE_P99_MS} ms), ${shed} answered with 503`,
    `  ${servedAtOnce} saw the page at once, ${waits.length} after ${ms(findPercentile(waits, 0.5))} (at most ${ms(findPercentile(waits, 1))}), ${report.stillWaiting} were still waiting; ${report.repeated} requests were answered when they were repeated`,
    `  kept in memory: ${mb(report.heaps.before)} at first, then ${mb(report.heaps.after)}`,
    `  ${countFailed(report) === 0 ? 'nothing' : 'SOMETHING'} failed in another way than 503`,
  ];
}
