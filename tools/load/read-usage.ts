import { readFile } from 'node:fs/promises';

/** What belongs to the site. */
const PROGRAMS = {
  server: /server\/main\.ts/,
  worker: /server\/worker\.ts/,
  PostgreSQL: /^postgres|\/postgres/,
  nginx: /nginx/,
} as const;
export type Program = keyof typeof PROGRAMS;

export type Usage = {
  /** Seconds of a processor since each process started. */
  seconds: Record<Program, number>;
  /** MB that the servers hold, with the processes that they started. */
  memory: number;
};

/** Linux counts in these, on every machine that Node runs on. */
const TICKS_PER_SECOND = 100;

type Process = { pid: number; command: string; seconds: number; memory: number };

/** Null if it has ended, or where the system doesn't say. */
async function readProcess(pid: number): Promise<Process | null> {
  try {
    const [stat, status, command] = await Promise.all(
      ['stat', 'status', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
    );
    // The name, in parentheses, may have spaces.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    return {
      pid,
      command: command?.replaceAll('\0', ' ') ?? '',
      seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
      memory: Number(/VmRSS:\s+(\d+) kB/.exec(status ?? '')?.[1] ?? 0) / 1024,
    };
  } catch {
    return null;
  }
}

async function listChildren(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

const findProgram = (command: string): Program | undefined =>
  (Object.keys(PROGRAMS) as Program[]).find((name) => PROGRAMS[name].test(command));

/** What all that this process has started have used so far. */
export async function readUsage(): Promise<Usage> {
  const usage: Usage = {
    seconds: { server: 0, worker: 0, PostgreSQL: 0, nginx: 0 },
    memory: 0,
  };
  async function add(pid: number, parent: Program | undefined): Promise<void> {
    const found = await readProcess(pid);
    const program = (found && findProgram(found.command)) ?? parent;
    if (found && program) usage.seconds[program] += found.seconds;
    if (found && program === 'server') usage.memory += found.memory;
    for (const child of await listChildren(pid)) await add(child, program);
  }
  for (const child of await listChildren(process.pid)) await add(child, undefined);
  return usage;
}

/** Processors in use on average between the two, such as 0.8 of one. */
export const subtractUsage = (from: Usage, to: Usage, seconds: number): Usage['seconds'] =>
  Object.fromEntries(
    (Object.keys(PROGRAMS) as Program[]).map((name) => [
      name,
      (to.seconds[name] - from.seconds[name]) / seconds,
    ]),
  ) as Usage['seconds'];
