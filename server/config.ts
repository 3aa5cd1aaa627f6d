import { join, resolve } from 'node:path';
import { z } from 'zod';
import { isLoopbackName } from './loopback.ts';

export type Config = {
  /** True when nothing of a production set-up is configured; demo accounts work only then. */
  demo: boolean;
  port: number;
  host: string;
  dataDir: string;
  webRoot: string;
  siteName: string;
  timeZone: string;
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
};

export type Env = Record<string, string | undefined>;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Whoever sets one of these is not trying things out. */
const productionSettings = [
  'DATABASE_URL',
  'APP_ORIGIN',
  'AUTH_ORIGIN',
  'SMTP_URL',
  'MAIL_FROM',
  'TRUST_PROXY',
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

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Says what is wrong with an origin, or nothing when it is one. */
function findOriginProblem(text: string): string | null {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return 'must be an origin such as https://example.com.';
  if (url.origin !== text.toLowerCase())
    return `must be scheme and host only, such as ${url.origin}, without a path or a final slash.`;
  if (url.protocol === 'http:' && !isLoopbackName(url.hostname))
    return 'must start with https://, because sessions must not travel unencrypted.';
  return null;
}

const origin = z
  .string()
  .superRefine((text, context) => {
    const problem = findOriginProblem(text);
    if (problem) context.addIssue({ code: 'custom', message: problem });
  })
  .transform((text) => text.toLowerCase());

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
  return missing;
}

export function parseConfig(source: Env): Config {
  const env = dropEmpty(source);
  const parsed = Settings.safeParse(env);
  const problems = [
    ...(parsed.error?.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`) ?? []),
    ...findMissing(env),
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
  };
}

/** People reach the site by TLS, whatever stands between them and this process. */
export const isSecure = ({ appOrigin }: Pick<Config, 'appOrigin'>): boolean =>
  appOrigin?.startsWith('https:') ?? false;

export const readConfig = (): Config => parseConfig(process.env);
