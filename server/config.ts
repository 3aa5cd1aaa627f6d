import { NO_ENDS, type FileEnds } from '#contract/rules/allowed-files.ts';
import { DEFAULT_CLIP_LIMIT } from '#contract/rules/clips.ts';
import { join, resolve } from 'node:path';
import type { z } from 'zod';
import { DEFAULT_RELEASE_DAY } from '#contract/admin/release-time.ts';
import { DEFAULT_LOOK, type Look } from '#contract/look.ts';
import { EnvSettings, type LogLevel } from './env-settings.ts';
import {
  findPaymentsProblems,
  paymentsProductionSettings,
  readPayments,
  type PaymentsSettings,
} from './payments-settings.ts';

export type Config = Readonly<{
  /** True if no production setting is set. A demo has a data folder of its own. */
  demo: boolean;
  port: number;
  host: string;
  dataDir: string;
  /** Where "npm run backup" keeps backups if it is told no other folder. */
  backupDir: string | null;
  webRoot: string;
  /** From the environment or else from the settings page, where it can change while the server runs. */
  siteName: string;
  timeZone: string;
  /** As it is stored; `readLook` adds what follows from the name. */
  look: Look;
  /** From the settings page alone. */
  releaseDay: number;
  /** What members pay for a gigabyte of mobile data, in cents; null if the site doesn’t say. */
  dataPrice: number | null;
  areMomentsOn: boolean;
  /** How many seconds of a mix its clips may give away; 0 if clips are off. */
  clipSeconds: number;
  /** From when members may keep no files. */
  fileEnds: FileEnds;
  /** Set in the environment, so the settings page can't change them. */
  fixed: readonly ('siteName' | 'timeZone' | 'eventsDays')[];
  logLevel: LogLevel;
  databaseUrl: string | null;
  /** The public origin of the site; null in demo mode, where any loopback name works. */
  appOrigin: string | null;
  /** What browsers are told about opening the site without encryption. */
  hsts: 'on' | 'subdomains' | 'off';
  /** The origin for reset-password calls; empty for the same origin. */
  authOrigin: string;
  smtp: { url: string; from: string; returnPath?: string } | null;
  /** The mailbox to which mail comes back. */
  imapUrl: string | null;
  /** What a program must send that reports mail that came back; null if none can. */
  mailWebhookSecret: string | null;
  /** How many proxies in front of the server we trust to report the client's address. */
  trustProxy: number;
  /** Administrators need two-step login or a passkey. */
  requiresAdminProtection: boolean;
  worker: boolean;
  /** What Prometheus must send; null if there are no metrics. */
  metricsToken: string | null;
  /** The bucket of the files; null when they are on this machine's disk. */
  s3: S3Settings | null;
  /** The path under which nginx serves the files (X-Accel-Redirect); empty when we send them ourselves. */
  accelPrefix: string;
  /** The origin of a CDN that fetches audio from us; null if listeners get it from us. */
  cdnUrl: string | null;
  /** How many tracks demo mode creates. */
  demoTracks: number;
  /** The analytics service. With `isInstead`, browsers send their events there instead of to us. */
  mixpanel: { token: string; host: string; isInstead: boolean } | null;
  /** Days after which single events are deleted; daily totals stay. */
  eventDays: number;
  /** An ffmpeg to use instead of the one on the PATH. */
  ffmpegPath: string | null;
  /** The service that listeners can scrobble to by its protocol, besides ListenBrainz. */
  lastfm: LastfmSettings | null;
  /** Where listeners scrobble who name no server of their own. */
  listenbrainzUrl: string;
  /** Listeners may name servers in private networks. */
  allowsPrivateServers: boolean;
  /** The payment provider and its keys. */
  payments: PaymentsSettings;
  /** Started by npm, so the process ends with its parent. */
  endsWithParent: boolean;
  /** Where systemd hears that this process runs, and how often it wants to; null without systemd. */
  systemd: { socket: string; watchdogMs: number } | null;
}>;

/** The npm scripts that run until they get a signal. */
const NPM_SCRIPTS = ['start', 'worker'];

/** What the settings page can set too; null if it hasn't. */
export type PageSettings = {
  siteName: string | null;
  timeZone: string | null;
  releaseDay: number;
  dataPrice: number | null;
  areMomentsOn: boolean;
  clipSeconds: number;
  eventsDays: number | null;
  look: Look;
} & FileEnds;

/** The config with the current values of the settings page where the environment sets none. */
export function applyPageSettings(parsed: Config, page: { current: PageSettings | null }): Config {
  const read = <N extends Config['fixed'][number]>(name: N): PageSettings[N] | null =>
    parsed.fixed.includes(name) ? null : (page.current?.[name] ?? null);
  return {
    ...parsed,
    get siteName() {
      return read('siteName') ?? parsed.siteName;
    },
    get timeZone() {
      return read('timeZone') ?? parsed.timeZone;
    },
    get look() {
      return page.current?.look ?? parsed.look;
    },
    get releaseDay() {
      return page.current?.releaseDay ?? parsed.releaseDay;
    },
    get dataPrice() {
      return page.current?.dataPrice ?? parsed.dataPrice;
    },
    get areMomentsOn() {
      return page.current?.areMomentsOn ?? parsed.areMomentsOn;
    },
    get clipSeconds() {
      return page.current?.clipSeconds ?? parsed.clipSeconds;
    },
    get fileEnds() {
      const { downloadsEnd, losslessEnd, savingEnd } = page.current ?? parsed.fileEnds;
      return { downloadsEnd, losslessEnd, savingEnd };
    },
    get eventDays() {
      return read('eventsDays') ?? parsed.eventDays;
    },
  };
}

export type LastfmSettings = { apiKey: string; secret: string; url: string; authUrl: string };

export type S3Settings = {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
};

export type Env = Record<string, string | undefined>;

const s3Settings = [
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const;
/** Any of these turns demo mode off. */
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
    super(['Invalid settings:', ...problems.map((line) => `  - ${line}`)].join('\n'));
    this.problems = problems;
  }
}

/** An empty value means no value, as in most env files. */
const dropEmpty = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));

/** `off` means no proxy, as on a developer's machine. */
const listProduction = (env: Env) =>
  productionSettings.filter(
    (name) => env[name] && !(name === 'TRUST_PROXY' && /^(?:off|0+)$/.test(env[name])),
  );

function findMissing(env: Env): string[] {
  const missing: string[] = [];
  const present = listProduction(env);
  if (present.length > 0 && !env.APP_ORIGIN)
    missing.push(
      `APP_ORIGIN is required when ${present.join(', ')} is set: outside demo mode the site must know its own address, such as https://example.com.`,
    );
  if (env.SMTP_URL && !env.MAIL_FROM)
    missing.push(
      'MAIL_FROM is required when SMTP_URL is set: e-mails need a sender, such as name@example.com.',
    );
  for (const name of ['MAIL_RETURN_PATH', 'IMAP_URL', 'MAIL_WEBHOOK_SECRET'])
    if (env[name] && !env.SMTP_URL)
      missing.push(`SMTP_URL is required when ${name} is set: it is about mail that comes back.`);
  if (!env.LASTFM_API_KEY !== !env.LASTFM_API_SECRET)
    missing.push('LASTFM_API_KEY and LASTFM_API_SECRET are only useful together: set both.');
  const s3 = s3Settings.filter((name) => env[name]);
  if (s3.length > 0)
    for (const name of s3Settings)
      if (!env[name]) missing.push(`${name} is required when ${s3.join(', ')} is set.`);
  return missing;
}

const findConflicts = (env: Env): string[] =>
  env.ACCEL_PREFIX && s3Settings.some((name) => env[name])
    ? ['ACCEL_PREFIX has no effect with S3. Remove one of the two.']
    : [];

function readS3(settings: z.output<typeof EnvSettings>): S3Settings | null {
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
  const parsed = EnvSettings.safeParse(env);
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
    // So that neither ever opens what the other has.
    dataDir: resolve(settings.DATA_DIR, demo ? 'demo' : ''),
    backupDir: settings.BACKUP_DIR ? resolve(settings.BACKUP_DIR) : null,
    webRoot: join(import.meta.dirname, '../dist/web'),
    siteName: settings.SITE_NAME,
    timeZone: settings.SITE_TIME_ZONE,
    look: DEFAULT_LOOK,
    releaseDay: DEFAULT_RELEASE_DAY,
    dataPrice: null,
    areMomentsOn: false,
    clipSeconds: DEFAULT_CLIP_LIMIT,
    fileEnds: NO_ENDS,
    fixed: [
      ...(env.SITE_NAME ? (['siteName'] as const) : []),
      ...(env.SITE_TIME_ZONE ? (['timeZone'] as const) : []),
      ...(env.EVENT_DAYS ? (['eventsDays'] as const) : []),
    ],
    // In demo mode the console shows the three lines that a newcomer needs.
    logLevel: settings.LOG_LEVEL ?? (demo ? 'warn' : 'info'),
    databaseUrl: settings.DATABASE_URL ?? null,
    appOrigin: settings.APP_ORIGIN ?? null,
    hsts: settings.HSTS,
    authOrigin: settings.AUTH_ORIGIN ?? '',
    smtp:
      settings.SMTP_URL && settings.MAIL_FROM
        ? {
            url: settings.SMTP_URL,
            from: settings.MAIL_FROM,
            ...(settings.MAIL_RETURN_PATH && { returnPath: settings.MAIL_RETURN_PATH }),
          }
        : null,
    imapUrl: settings.IMAP_URL ?? null,
    mailWebhookSecret: settings.MAIL_WEBHOOK_SECRET ?? null,
    trustProxy: settings.TRUST_PROXY,
    requiresAdminProtection:
      (settings.ADMIN_TWO_STEP ?? (demo ? 'optional' : 'required')) === 'required',
    worker: settings.WORKER === 'on',
    metricsToken: settings.METRICS_TOKEN ?? null,
    s3: readS3(settings),
    accelPrefix: settings.ACCEL_PREFIX ?? '',
    cdnUrl: settings.CDN_URL ?? null,
    mixpanel: settings.MIXPANEL_TOKEN
      ? {
          token: settings.MIXPANEL_TOKEN,
          host: settings.MIXPANEL_HOST,
          isInstead: settings.MIXPANEL_MODE === 'instead',
        }
      : null,
    eventDays: settings.EVENT_DAYS,
    demoTracks: settings.DEMO_MIXES,
    ffmpegPath: settings.FFMPEG_PATH ?? null,
    lastfm:
      settings.LASTFM_API_KEY && settings.LASTFM_API_SECRET
        ? {
            apiKey: settings.LASTFM_API_KEY,
            secret: settings.LASTFM_API_SECRET,
            url: settings.LASTFM_URL,
            authUrl: settings.LASTFM_AUTH_URL,
          }
        : null,
    listenbrainzUrl: settings.LISTENBRAINZ_URL.replace(/\/+$/, ''),
    allowsPrivateServers: settings.PRIVATE_SERVERS === 'on',
    payments: readPayments(settings),
    endsWithParent: NPM_SCRIPTS.includes(env.npm_lifecycle_event ?? ''),
    systemd: env.NOTIFY_SOCKET
      ? { socket: env.NOTIFY_SOCKET, watchdogMs: Number(env.WATCHDOG_USEC ?? 0) / 1000 }
      : null,
  };
}

/** Whether users reach the site over TLS, even if a proxy terminates it. */
export const isSecure = ({ appOrigin }: Pick<Config, 'appOrigin'>): boolean =>
  appOrigin?.startsWith('https:') ?? false;

export const readConfig = (): Config => parseConfig(process.env);
