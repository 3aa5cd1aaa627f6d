import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { PostgresLimits } from './open-postgres.ts';

type Log = Pick<FastifyBaseLogger, 'error' | 'info'>;

/** Someone waits for an answer on this connection, or for a connection. */
type Waiting = {
  pid: number | null;
  since: number;
  /** When to ask next whether this still comes. */
  askAt: number;
  /** When something last arrived on the connection. */
  heardAt: () => number;
  fail: (error: Error) => void;
};

/** How often the ones who wait are looked through. */
const LOOK_MS = 200;

/** Has the same text as the client's own errors of this kind, so that both count as lost. */
const deadConnection = () =>
  new Error('Connection terminated unexpectedly: the database did not answer.');

export class SilentDatabase extends Error {
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('The database does not answer.');
  }
}

/**
 * - `silent`: nobody answers.
 * - `alive`: PostgreSQL answers, and that is all that is known.
 * - otherwise what its processes do, by their number.
 */
type Answer = 'silent' | 'alive' | Map<number, string | null>;

type StateRow = { pid: number; state: string | null };

/** The first row is the one who asks. Behind a pooler, numbers say nothing about our connections. */
const selectStates = (pids: readonly number[]) =>
  `select pg_backend_pid() as pid, null as state
   union all select pid, state from pg_stat_activity where pid in (${[-1, ...pids].join()})`;

/** Timers run before what arrived meanwhile is read, so after a busy moment of our own they lie. */
const after = (ms: number, work: () => void) => setTimeout(() => setImmediate(work), ms);

/** Asks on a new connection. It has a limit for every step, so that one that answers slowly gets there. */
async function askAfresh(
  client: pg.Client,
  pids: readonly number[],
  limitMs: number,
): Promise<Answer> {
  const { connection } = client as unknown as {
    connection: NodeJS.EventEmitter & { stream: { destroy: () => void } };
  };
  let heardAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  connection.on('message', () => {
    heardAt = performance.now();
  });
  client.on('error', () => {});
  const late = new Promise<Answer>((resolve) => {
    const look = () => {
      const left = heardAt + limitMs - performance.now();
      if (left <= 0) resolve('silent');
      else timer = after(left, look);
    };
    timer = after(limitMs, look);
  });
  const ask = async (): Promise<Answer> => {
    await client.connect();
    const { rows } = await client.query<StateRow>(selectStates(pids));
    const { processID } = client as unknown as { processID: number };
    return rows[0]?.pid === processID
      ? new Map(rows.map(({ pid, state }) => [pid, state]))
      : 'alive';
  };
  try {
    // A refusal of its own, such as too many connections, is an answer too.
    return await Promise.race([
      ask().catch((error: unknown) => ('severity' in (error as Error) ? 'alive' : 'silent')),
      late,
    ]);
  } finally {
    clearTimeout(timer);
    connection.stream.destroy();
  }
}

/** PostgreSQL waits for the next query there, so whatever we wait for was lost on the way. */
const isLost = (states: Map<number, string | null>, pid: number): boolean =>
  !states.has(pid) || (states.get(pid)?.startsWith('idle') ?? false);

export type SilenceWatch = {
  isSilent: () => boolean;
  /** Something has arrived on a connection of the pool. */
  hear: () => void;
  /** Watches someone who waits; call what it returns when the answer has come. */
  wait: (who: Pick<Waiting, 'pid' | 'heardAt' | 'fail'>) => () => void;
};

/**
 * Tells a silent PostgreSQL from a slow one. Whoever waits for long makes us ask on a new connection: if
 * nobody answers there either, nor on any other connection, everyone who waits is told at once, and so
 * is whoever comes, until PostgreSQL answers again. If it does answer, only the connections fail on
 * which nothing can come any more.
 */
export function watchSilence(
  limits: PostgresLimits,
  log: Log,
  {
    open,
    isEnding,
    onDead,
  }: { open: () => pg.Client; isEnding: () => boolean; onDead: (error: Error) => void },
): SilenceWatch {
  const waiting = new Set<Waiting>();
  let timer: NodeJS.Timeout | null = null;
  let isAsking = false;
  let silentSince: number | null = null;
  let lastHeardAt = 0;

  async function askUntilAnswered() {
    const answer = await askAfresh(open(), [], limits.askMs);
    if (isEnding()) return;
    if (answer === 'silent') {
      after(limits.retryMs, () => void askUntilAnswered()).unref();
      return;
    }
    const seconds = Math.round((performance.now() - (silentSince ?? 0)) / 1000);
    silentSince = null;
    log.info({ seconds }, 'The database answers again.');
  }

  function giveUp() {
    silentSince = performance.now();
    log.error('The database does not answer: requests get 503 until it does.');
    for (const { fail } of waiting) fail(new SilentDatabase());
    waiting.clear();
    onDead(new SilentDatabase());
    after(limits.retryMs, () => void askUntilAnswered()).unref();
  }

  function judge(asked: readonly Waiting[], answer: Answer, askedAt: number) {
    const now = performance.now();
    if (answer === 'silent' && lastHeardAt < askedAt) return giveUp();
    for (const who of asked) {
      who.askAt = now + (now - who.since);
      const { pid, since } = who;
      // Nobody takes new connections, and none of the open ones is free.
      if (pid === null && answer === 'silent') who.fail(new SilentDatabase());
      const isDead =
        pid !== null &&
        (now - since >= limits.silenceMs || (answer instanceof Map && isLost(answer, pid)));
      if (!isDead || !waiting.has(who) || who.heardAt() >= askedAt) continue;
      waiting.delete(who);
      who.fail(deadConnection());
      // If one connection is dead, the others probably are too.
      onDead(deadConnection());
    }
  }

  async function look() {
    timer = null;
    const askedAt = performance.now();
    const due = [...waiting].filter(({ askAt }) => askAt <= askedAt);
    if (due.length > 0 && !isEnding()) {
      isAsking = true;
      const pids = due.flatMap(({ pid }) => pid ?? []);
      judge(due, await askAfresh(open(), pids, limits.askMs), askedAt);
      isAsking = false;
    }
    lookLater();
  }

  function lookLater() {
    if (timer || isAsking || waiting.size === 0) return;
    timer = after(Math.min(LOOK_MS, limits.doubtMs), () => void look());
  }

  return {
    isSilent: () => silentSince !== null,
    hear: () => {
      lastHeardAt = performance.now();
    },
    wait: (who) => {
      const since = performance.now();
      const entry = { ...who, since, askAt: since + limits.doubtMs };
      waiting.add(entry);
      lookLater();
      return () => void waiting.delete(entry);
    },
  };
}
