import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { inheritEnvironment, readConfig, type Config } from './config.ts';
import { findPort } from './http/load/listen.ts';
import type { ToProcess, ToSupervisor } from './processes.ts';
import { describeStartError, StartProblem } from './start-problem.ts';

/** Before a process that ended is started again; a broken one mustn't take all processor time. */
const RESTART_MS = 1000;
/** How long to wait for the reports of busy processes. */
const REPORT_MS = 3000;

type Child = { process: ChildProcess; number: number; isReady: boolean };
type Reports = { process: number; report: unknown }[];

/** Asks every process for a report, and answers with those that came in time. */
function collectReports(listChildren: () => Child[]) {
  const open = new Map<string, { wanted: number; reports: Reports; send: () => void }>();
  let lastId = 0;
  return {
    ask: ({ process: asking }: Child, id: number) => {
      const key = String((lastId += 1));
      const children = listChildren().filter(({ isReady }) => isReady);
      const reports: Reports = [];
      const send = () => {
        clearTimeout(timer);
        if (!open.delete(key) || !asking.connected) return;
        reports.sort((a, b) => a.process - b.process);
        asking.send({ kind: 'reports', id, reports } satisfies ToProcess);
      };
      const timer = setTimeout(send, REPORT_MS);
      open.set(key, { wanted: children.length, reports, send });
      for (const child of children) tell(child, { kind: 'report-wanted', id: key });
    },
    add: ({ number }: Child, id: string, report: unknown) => {
      const found = open.get(id);
      if (!found) return;
      found.reports.push({ process: number, report });
      if (found.reports.length === found.wanted) found.send();
    },
  };
}

function tell({ process }: Child, message: ToProcess) {
  if (process.connected) process.send(message);
}

/**
 * Starts several processes that share the port. The first one migrates the database and runs the
 * jobs. One that ends is started again; a signal stops all of them.
 */
async function supervise(config: Config) {
  const port = await findPort(config);
  const children = new Map<number, Child>();
  const collected = collectReports(() => [...children.values()]);
  let isStopping = false;
  let exitCode = 0;

  function start(number: number) {
    const child: Child = {
      number,
      isReady: false,
      process: fork(join(import.meta.dirname, 'main.ts'), {
        env: inheritEnvironment({ PORT: String(port), PROCESS_NUMBER: String(number) }),
        // Only we get the signals of the terminal, and pass them on once.
        detached: true,
      }),
    };
    children.set(number, child);
    child.process.on('message', (message) => receive(child, message as ToSupervisor));
    child.process.once('exit', (code) => end(child, code ?? 1));
  }

  function receive(child: Child, message: ToSupervisor) {
    const [first] = children.values();
    if (message.kind === 'ready') {
      child.isReady = true;
      // The others start when the database is ready.
      for (let number = 2; number <= config.processes; number += 1)
        if (!children.has(number) && !isStopping) start(number);
    }
    if (message.kind === 'wake' && first) tell(first, { kind: 'wake' });
    if (message.kind === 'ask') collected.ask(child, message.id);
    if (message.kind === 'report') collected.add(child, message.id, message.report);
  }

  function end(child: Child, code: number) {
    const isFailedStart = child.number === 1 && !child.isReady && children.size === 1;
    if (isStopping || isFailedStart) {
      children.delete(child.number);
      exitCode ||= code;
      if (children.size === 0) process.exit(exitCode);
      return;
    }
    process.stderr.write(`Process ${child.number} ended (${code}) and is started again.\n`);
    setTimeout(() => {
      if (isStopping) end(child, 0);
      else start(child.number);
    }, RESTART_MS);
  }

  const stop = () => {
    const signal = isStopping ? 'SIGKILL' : 'SIGTERM';
    isStopping = true;
    for (const child of children.values()) child.process.kill(signal);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  start(1);
}

/** Whether this process supervises others, and is no server itself. */
export async function superviseProcesses(): Promise<boolean> {
  let config: Config;
  try {
    config = readConfig();
  } catch {
    // The start of the server says what is wrong.
    return false;
  }
  if (config.processes === 1 || config.processNumber !== null) return false;
  try {
    if (!['linux', 'freebsd'].includes(process.platform))
      throw new StartProblem('PROCESSES needs Linux. Remove it to run one process.');
    await supervise(config);
  } catch (error) {
    process.stderr.write(`${describeStartError(error, config) ?? (error as Error).stack}\n`);
    process.exitCode = 1;
  }
  return true;
}
