import { join, resolve } from 'node:path';
import { z } from 'zod';
import { isTimeZone } from '#contract/settings.ts';
import { isLoopbackName } from './loopback.ts';
import {
  findPaymentsProblems,
  paymentsFields,
  paymentsProductionSettings,
  readPayments,
  type PaymentsSettings,
} from './payments-settings.ts';

export type Config = Readonly<{
  /** True when nothing of a production set-up is configured; demo accounts work only then. */
  demo: boolean;
  port: number;
  host: string;
  dataDir: string;
  webRoot: string;
  /** As the environment says or, where it is silent, as was set on the pages: it follows while the server runs. */
  siteName: string;
  timeZone: string;
  /** What the environment says and no page can change. */
  fixed: readonly ('siteName' | 'timeZone' | 'eventsDays')[];
  logLevel: LogLevel;
  databaseUrl: string | null;
  /** Where people reach the site; null in demo mode, where every loopback name will do. */
  appOrigin: string | null;
  /** Where the reset-password calls go; empty means the same origin. */
  authOrigin: string;
  smtp: { url: string; from: string } | null;
  /** How many proxies in front of the server are trusted to name the client's address. */
  trustProxy: number;
  worker: boolean;
  /** The bucket that keeps the files; null when they are on this machine's disk. */
  s3: S3Settings | null;
  /** Where nginx serves the files internally (X-Accel-Redirect); empty when we send them ourselves. */
  accelPrefix: string;
  /** How many mixes demo mode makes. */
  demoMixes: number;
  /** The analytics service: told by this server what browsers told it, or by them instead of us. */
  mixpanel: { token: string; host: string; isInstead: boolean } | null;
  /** Days after which single events are forgotten; the daily numbers stay. */
  eventDays: number;
  /** An ffmpeg to use instead of the one on the PATH. */
  ffmpegPath: string | null;
  /** Who takes the money, and what they know us by. */
  payments: PaymentsSettings;
  /** Run by npm, whose end is then the end of this. */
  endsWithParent: boolean;
}>;

/** The scripts of the package that run until they are told to stop. */
const NPM_SCRIPTS = ['start', 'worker'];

/** What can be set on the pages as well; null where nobody has. */
export type PageSettings = {
  siteName: string | null;
  timeZone: string | null;
  eventsDays: number | null;
};

/**
 * The config as it holds now: what the environment says stays, and where it is silent what was set on
 * the pages is read from `onPages` each time. Nothing is written into what was parsed.
 */
export function applyPageSettings(
  parsed: Config,
  onPages: { current: PageSettings | null },
): Config {
  const read = <N extends keyof PageSettings>(name: N): PageSettings[N] | null =>
    parsed.fixed.includes(name) ? null : (onPages.current?.[name] ?? null);
  return {
    ...parsed,
    get siteName() {
      return read('siteName') ?? parsed.siteName;
    },
    get timeZone() {
      return read('timeZone') ?? parsed.timeZone;
    },
    get eventDays() {
      return read('eventsDays') ?? parsed.eventDays;
    },
  };
}

export type S3Settings = {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
};

export type Env = Record<string, string | undefined>;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const s3Settings = [
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const;
/** Whoever sets one of these is not trying things out. */
const productionSettings = [
  'DATABASE_URL',
  'APP_ORIGIN',
  'AUTH_ORIGIN',
  'SMTP_URL',
  ...s3Settings,
  'MAIL_FROM',
  'TRUST_PROXY',
  'MIXPANEL_TOKEN',
  ...paymentsProductionSettings,
] as const;

export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      ['The settings do not make sense yet:', ...problems.map((line) => `  - ${line}`)].join('\n'),
    );
    this.problems = problems;
  }
}

const wholeNumber = (min: number, max: number, sentence: string) =>
  z
    .string()
    .regex(/^\d{1,6}$/, sentence)
    .transform(Number)
    .refine((value) => value >= min && value <= max, sentence);

/** Says what is wrong with an origin, or nothing when it is one. */
function findOriginProblem(text: string, whyEncrypted: string): string | null {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return 'must be an origin such as https://example.com.';
  if (url.origin !== text.toLowerCase())
    return `must be scheme and host only, such as ${url.origin}, without a path or a final slash.`;
  if (url.protocol === 'http:' && !isLoopbackName(url.hostname))
    return `must start with https://, because ${whyEncrypted}.`;
  return null;
}

const originWhere = (whyEncrypted: string) =>
  z
    .string()
    .superRefine((text, context) => {
      const problem = findOriginProblem(text, whyEncrypted);
      if (problem) context.addIssue({ code: 'custom', message: problem });
    })
    .transform((text) => text.toLowerCase());

const origin = originWhere('sessions must not travel unencrypted');

const urlWith = (protocols: readonly string[], sentence: string) =>
  z.string().refine((text) => {
    const url = URL.parse(text);
    return url !== null && protocols.includes(url.protocol) && url.hostname !== '';
  }, sentence);

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const hasReadableLogin = (text: string): boolean => {
  const url = URL.parse(text);
  return !url || (isPercentEncoded(url.username) && isPercentEncoded(url.password));
};

const Settings = z.object({
  PORT: wholeNumber(0, 65_535, 'must be a port from 0 to 65535.').default(3000),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'must be a host name or an address, such as 127.0.0.1.')
    .default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  SITE_NAME: z
    .string()
    .max(60, 'must have at most 60 characters.')
    .regex(/^\P{Cc}+$/u, 'must be one line of text.')
    .default('Weekender'),
  SITE_TIME_ZONE: z
    .string()
    .refine(isTimeZone, 'must be a time zone such as Africa/Johannesburg.')
    .default('Africa/Johannesburg'),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}.` }).optional(),
  DATABASE_URL: urlWith(
    ['postgres:', 'postgresql:'],
    'must start with postgres:// or postgresql:// and name a host.',
  ).optional(),
  APP_ORIGIN: origin.optional(),
  AUTH_ORIGIN: origin.optional(),
  SMTP_URL: urlWith(['smtp:', 'smtps:'], 'must start with smtp:// or smtps:// and name a host.')
    .refine(
      hasReadableLogin,
      'must have its name and password percent-encoded: a % is written as %25.',
    )
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>\p{Cc}]+<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u,
      'must be an address such as name@example.com or Name <name@example.com>.',
    )
    .optional(),
  TRUST_PROXY: z
    .preprocess(
      (text) => (text === 'off' ? '0' : text),
      wholeNumber(0, 10, 'must be off or the number of trusted proxies, from 0 to 10.'),
    )
    .default(0),
  WORKER: z.enum(['on', 'off'], { error: 'must be on or off.' }).default('on'),
  ACCEL_PREFIX: z
    .string()
    .regex(/^(\/[\w-]+)+$/, 'must be a path such as /protected, without a final slash.')
    .optional(),
  FFMPEG_PATH: z.string().optional(),
  S3_ENDPOINT: originWhere('the music must not travel unencrypted').optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be a region such as eu-west-1; stores without any take us-east-1.')
    .optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket, such as music.')
    .optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  MIXPANEL_TOKEN: z
    .string()
    .regex(/^[\w-]{8,64}$/, 'must be the token of a project, such as 0123456789abcdef.')
    .optional(),
  MIXPANEL_HOST: originWhere('what people do must not travel unencrypted').default(
    'https://api-js.mixpanel.com',
  ),
  MIXPANEL_MODE: z.enum(['also', 'instead'], { error: 'must be also or instead.' }).default('also'),
  EVENT_DAYS: wholeNumber(1, 3650, 'must be a number of days from 1 to 3650.').default(400),
  DEMO_MIXES: wholeNumber(0, 200, 'must be a number from 0 to 200.').default(200),
  ...paymentsFields(originWhere('what people pay must not travel unencrypted')),
});

/** An empty value means the same as no value, as in most env files. */
const dropEmpty = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));

/** `off` says that there is no proxy, which is so on everybody's own machine. */
const listProduction = (env: Env) =>
  productionSettings.filter(
    (name) => env[name] && !(name === 'TRUST_PROXY' && /^(?:off|0+)$/.test(env[name])),
  );

function findMissing(env: Env): string[] {
  const missing: string[] = [];
  const present = listProduction(env);
  if (present.length > 0 && !env.APP_ORIGIN)
    missing.push(
      `APP_ORIGIN is missing: ${present.join(', ')} turns demo mode off, and the site must then know its own address, such as https://example.com.`,
    );
  if (env.SMTP_URL && !env.MAIL_FROM)
    missing.push('MAIL_FROM is missing: SMTP_URL needs a sender, such as name@example.com.');
  const s3 = s3Settings.filter((name) => env[name]);
  if (s3.length > 0)
    for (const name of s3Settings)
      if (!env[name])
        missing.push(`${name} is missing: ${s3.join(', ')} makes no sense without it.`);
  return missing;
}

const findConflicts = (env: Env): string[] =>
  env.ACCEL_PREFIX && s3Settings.some((name) => env[name])
    ? [
        'ACCEL_PREFIX is of no use with S3: it serves files from the disk of this machine. Remove one of the two.',
      ]
    : [];

function readS3(settings: z.output<typeof Settings>): S3Settings | null {
  const {
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = settings;
  return endpoint && region && bucket && accessKeyId && secretAccessKey
    ? { endpoint, region, bucket, accessKeyId, secretAccessKey }
    : null;
}

export function parseConfig(source: Env): Config {
  const env = dropEmpty(source);
  const parsed = Settings.safeParse(env);
  const problems = [
    ...(parsed.error?.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`) ?? []),
    ...findMissing(env),
    ...findConflicts(env),
    ...findPaymentsProblems(env),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  const settings = parsed.data;
  const demo = listProduction(env).length === 0;
  return {
    demo,
    port: settings.PORT,
    host: settings.HOST,
    dataDir: resolve(settings.DATA_DIR),
    webRoot: join(import.meta.dirname, '../dist/web'),
    siteName: settings.SITE_NAME,
    timeZone: settings.SITE_TIME_ZONE,
    fixed: [
      ...(env.SITE_NAME ? (['siteName'] as const) : []),
      ...(env.SITE_TIME_ZONE ? (['timeZone'] as const) : []),
      ...(env.EVENT_DAYS ? (['eventsDays'] as const) : []),
    ],
    // In demo mode the console belongs to the three lines a newcomer needs.
    logLevel: settings.LOG_LEVEL ?? (demo ? 'warn' : 'info'),
    databaseUrl: settings.DATABASE_URL ?? null,
    appOrigin: settings.APP_ORIGIN ?? null,
    authOrigin: settings.AUTH_ORIGIN ?? '',
    smtp:
      settings.SMTP_URL && settings.MAIL_FROM
        ? { url: settings.SMTP_URL, from: settings.MAIL_FROM }
        : null,
    trustProxy: settings.TRUST_PROXY,
    worker: settings.WORKER === 'on',
    s3: readS3(settings),
    accelPrefix: settings.ACCEL_PREFIX ?? '',
    mixpanel: settings.MIXPANEL_TOKEN
      ? {
          token: settings.MIXPANEL_TOKEN,
          host: settings.MIXPANEL_HOST,
          isInstead: settings.MIXPANEL_MODE === 'instead',
        }
      : null,
    eventDays: settings.EVENT_DAYS,
    demoMixes: settings.DEMO_MIXES,
    ffmpegPath: settings.FFMPEG_PATH ?? null,
    payments: readPayments(settings),
    endsWithParent: NPM_SCRIPTS.includes(env.npm_lifecycle_event ?? ''),
  };
}

/** People reach the site by TLS, whatever stands between them and this process. */
export const isSecure = ({ appOrigin }: Pick<Config, 'appOrigin'>): boolean =>
  appOrigin?.startsWith('https:') ?? false;

export const readConfig = (): Config => parseConfig(process.env);
