/** Something the server needs that is missing for now. */
export type Outage = {
  /**
   * - `full`: no space is left for what should be written.
   * - `lost`: the connection failed, so a query that only reads can run again.
   * - `gone`: it doesn't work or doesn't answer.
   * - `refused`: it answers, but doesn't let us in, until a person changes a setting.
   */
  kind: 'full' | 'lost' | 'gone' | 'refused';
};

const FULL = new Set(['ENOSPC', 'EDQUOT', '53100']);

const LOST = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTCONN',
  // PostgreSQL is stopping, crashed or starting.
  '57P01',
  '57P02',
  '57P03',
]);

const GONE = new Set([
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EIO',
  'ESTALE',
  'EROFS',
  'ENODEV',
  'ENXIO',
  'EMFILE',
  'ENFILE',
  // PostgreSQL: out of memory or connections, cancelled after its time limit, not writable.
  '53000',
  '53200',
  '53300',
  '57014',
  '25006',
  '25P03',
  '58030',
]);

/** The low byte of SQLite's error codes. */
const SQLITE: Record<number, Outage['kind']> = {
  5: 'gone',
  6: 'gone',
  8: 'gone',
  10: 'gone',
  13: 'full',
  14: 'gone',
};

/** Errors of the PostgreSQL client, which have no code. */
const LOST_TEXT =
  /^(?:Connection terminated unexpectedly|Client (?:has encountered a connection error|was closed) and is not queryable|Postgres connection has been discarded)/;
const GONE_TEXT =
  /^(?:timeout exceeded when trying to connect|Connection terminated due to connection timeout|timeout expired)/;

/** The names of the S3 client for a store that doesn't answer. */
const GONE_NAMES = new Set(['TimeoutError', 'RequestTimeout', 'SlowDown', 'ServiceUnavailable']);

/** And for one that knows our settings as wrong. Every 401 and 403 is one too. */
const REFUSED_NAMES = new Set([
  'NoSuchBucket',
  'InvalidBucketName',
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
]);

type AnyError = Partial<
  Error & {
    code: unknown;
    errcode: number;
    syscall: string;
    $metadata: { httpStatusCode?: number };
  }
>;

/** What the S3 store answered. */
function findKindOfAnswer(name: string, status: number): Outage['kind'] | null {
  if (name === 'QuotaExceeded' || status === 507) return 'full';
  if (REFUSED_NAMES.has(name) || status === 401 || status === 403) return 'refused';
  return status >= 500 ? 'gone' : null;
}

function findKind(error: AnyError): Outage['kind'] | null {
  const { code, errcode, message = '', name = '', $metadata } = error;
  if (errcode !== undefined && code === 'ERR_SQLITE_ERROR') return SQLITE[errcode & 0xff] ?? null;
  if (typeof code === 'string') {
    if (FULL.has(code)) return 'full';
    if (LOST.has(code) || code.startsWith('08')) return 'lost';
    if (GONE.has(code)) return 'gone';
    // A restarting PostgreSQL removes its Unix socket.
    if (code === 'ENOENT' && error.syscall === 'connect') return 'lost';
  }
  if (LOST_TEXT.test(message)) return 'lost';
  if (GONE_TEXT.test(message) || GONE_NAMES.has(name)) return 'gone';
  return $metadata ? findKindOfAnswer(name, $metadata.httpStatusCode ?? 0) : null;
}

/** What is missing, if that is why something failed; null if the error has another reason. */
export function findOutage(error: unknown): Outage | null {
  if (!(error instanceof Error)) return null;
  const kind = findKind(error);
  if (kind) return { kind };
  // Connecting to a name with several addresses fails with the errors of all.
  if (error instanceof AggregateError) {
    const [first] = error.errors as unknown[];
    return findOutage(first);
  }
  return null;
}
