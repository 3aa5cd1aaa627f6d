import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_CLIP_LIMIT } from '#contract/rules/clips.ts';
import { DEFAULT_RELEASE_DAY } from '#contract/admin/release-time.ts';
import { DEFAULT_LOOK } from '#contract/look.ts';
import { ConfigError, parseConfig, type Config, type Env } from './config.ts';

const paystack = {
  PAYMENTS: 'paystack',
  PAYSTACK_SECRET_KEY: 'sk_live_0123456789',
};
const stripe = {
  PAYMENTS: 'stripe',
  STRIPE_SECRET_KEY: 'sk_live_0123456789',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789',
};
const site = { APP_ORIGIN: 'https://music.example' };
const production = { ...site, ...paystack };
const s3 = {
  ...production,
  S3_ENDPOINT: 'https://s3.example',
  S3_REGION: 'eu-west-1',
  S3_BUCKET: 'music',
  S3_ACCESS_KEY_ID: 'KEY',
  S3_SECRET_ACCESS_KEY: 'secret',
};

function findProblems(env: Env): readonly string[] {
  try {
    parseConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

/** Names a case by the settings that it is about, without those that every such site has. */
const nameCases = <T>(cases: [Env, T][]): [string, Env, T][] =>
  cases.map(([env, expected]) => {
    const usual = [production, s3, stripe].map((base): Env => base);
    const own = Object.entries(env).filter(
      ([name, value]) => !usual.some((base) => base[name] === value),
    );
    const named = own.map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    return [named.join(' ') || Object.keys(env).join(' '), env, expected];
  });

describe('without settings', () => {
  it('everything has a default and demo mode is on', () => {
    expect(parseConfig({})).toEqual({
      demo: true,
      port: 3000,
      host: '127.0.0.1',
      hsts: 'on',
      dataDir: resolve('data/demo'),
      backupDir: null,
      webRoot: resolve(import.meta.dirname, '../dist/web'),
      siteName: 'Weekender',
      timeZone: 'Africa/Johannesburg',
      look: DEFAULT_LOOK,
      releaseDay: DEFAULT_RELEASE_DAY,
      dataPrice: null,
      areMomentsOn: false,
      clipSeconds: DEFAULT_CLIP_LIMIT,
      fileEnds: { downloadsEnd: null, losslessEnd: null, savingEnd: null },
      fixed: [],
      logLevel: 'warn',
      databaseUrl: null,
      appOrigin: null,
      authOrigin: '',
      smtp: null,
      imapUrl: null,
      mailWebhookSecret: null,
      trustProxy: 0,
      requiresAdminProtection: false,
      worker: true,
      metricsToken: null,
      s3: null,
      accelPrefix: '',
      cdnUrl: null,
      mixpanel: null,
      demoTracks: 200,
      eventDays: 400,
      ffmpegPath: null,
      lastfm: null,
      listenbrainzUrl: 'https://api.listenbrainz.org',
      allowsPrivateServers: false,
      endsWithParent: false,
      systemd: null,
      payments: { provider: 'sandbox', monthMs: null },
    });
  });

  it('empty and unknown variables are ignored', () => {
    const env = { PORT: '', APP_ORIGIN: ' ', DATABASE_URL: '', PATH: '/bin', UNKNOWN: 'x' };
    expect(parseConfig(env)).toEqual(parseConfig({}));
  });
});

describe('a valid setting is accepted', () => {
  it.each(
    nameCases<Partial<Config>>([
      [{ PORT: '0' }, { port: 0, demo: true }],
      [{ PORT: '65535' }, { port: 65_535 }],
      [{ HOST: '0.0.0.0' }, { host: '0.0.0.0', demo: true }],
      [{ HOST: '::' }, { host: '::' }],
      [{ DATA_DIR: '/srv/music' }, { dataDir: '/srv/music/demo', demo: true }],
      [
        { ...production, DATA_DIR: '/srv/music' },
        { dataDir: '/srv/music', demo: false },
      ],
      [{ BACKUP_DIR: '/mnt/backups' }, { backupDir: '/mnt/backups', demo: true }],
      [{ SITE_NAME: 'Deep & Slow' }, { siteName: 'Deep & Slow', demo: true }],
      [{ SITE_TIME_ZONE: 'Europe/Berlin' }, { timeZone: 'Europe/Berlin', demo: true }],
      [{ LOG_LEVEL: 'debug' }, { logLevel: 'debug', demo: true }],
      [{ TRUST_PROXY: 'off' }, { trustProxy: 0, demo: true }],
      [{ TRUST_PROXY: '0' }, { trustProxy: 0, demo: true }],
      [
        { ...production, TRUST_PROXY: '2' },
        { trustProxy: 2, demo: false },
      ],
      [{ WORKER: 'off' }, { worker: false, demo: true }],
      [{ ADMIN_TWO_STEP: 'required' }, { requiresAdminProtection: true, demo: true }],
      [{ METRICS_TOKEN: 'quiet-harbour-at-dawn' }, { metricsToken: 'quiet-harbour-at-dawn' }],
      [production, { appOrigin: 'https://music.example', demo: false, logLevel: 'info' }],
      [
        { APP_ORIGIN: 'http://localhost:3000' },
        { appOrigin: 'http://localhost:3000', demo: false },
      ],
      [{ APP_ORIGIN: 'http://[::1]:3000' }, { appOrigin: 'http://[::1]:3000' }],
      [
        { ...production, AUTH_ORIGIN: 'https://auth.example' },
        { authOrigin: 'https://auth.example' },
      ],
      [
        { ...production, DATABASE_URL: 'postgresql://u:p@db/music' },
        { databaseUrl: 'postgresql://u:p@db/music', demo: false },
      ],
      [
        { ...production, SMTP_URL: 'smtps://u:p@mail.example', MAIL_FROM: 'DJ <dj@music.example>' },
        { smtp: { url: 'smtps://u:p@mail.example', from: 'DJ <dj@music.example>' } },
      ],
      [
        {
          ...production,
          SMTP_URL: 'smtp://mail.example',
          MAIL_FROM: 'dj@music.example',
          MAIL_RETURN_PATH: 'returned@music.example',
          IMAP_URL: 'imaps://u:p%25@mail.example/INBOX/Returned',
          MAIL_WEBHOOK_SECRET: 'quiet-harbour-at-dawn',
        },
        {
          smtp: {
            url: 'smtp://mail.example',
            from: 'dj@music.example',
            returnPath: 'returned@music.example',
          },
          imapUrl: 'imaps://u:p%25@mail.example/INBOX/Returned',
          mailWebhookSecret: 'quiet-harbour-at-dawn',
        },
      ],
      [{ ACCEL_PREFIX: '/protected' }, { accelPrefix: '/protected', demo: true }],
      [
        { ...s3, CDN_URL: 'https://CDN.music.example' },
        { cdnUrl: 'https://cdn.music.example', demo: false },
      ],
      [
        { ...production, MIXPANEL_TOKEN: '0123456789abcdef' },
        {
          demo: false,
          mixpanel: {
            token: '0123456789abcdef',
            host: 'https://api-js.mixpanel.com',
            isInstead: false,
          },
        },
      ],
      [
        {
          ...production,
          MIXPANEL_TOKEN: '0123456789abcdef',
          MIXPANEL_HOST: 'https://api-eu.mixpanel.com',
          MIXPANEL_MODE: 'instead',
        },
        {
          mixpanel: {
            token: '0123456789abcdef',
            host: 'https://api-eu.mixpanel.com',
            isInstead: true,
          },
        },
      ],
      [{ FFMPEG_PATH: '/opt/ffmpeg' }, { ffmpegPath: '/opt/ffmpeg', demo: true }],
      [{ npm_lifecycle_event: 'start' }, { endsWithParent: true, demo: true }],
      [
        { NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '120000000' },
        { systemd: { socket: '/run/notify', watchdogMs: 120_000 }, demo: true },
      ],
      [{ NOTIFY_SOCKET: '/run/notify' }, { systemd: { socket: '/run/notify', watchdogMs: 0 } }],
      [{ npm_lifecycle_event: 'deploy' }, { endsWithParent: false, demo: true }],
      [
        { PAYMENTS: 'sandbox', SANDBOX_MONTH_SECONDS: '90' },
        { demo: true, payments: { provider: 'sandbox', monthMs: 90_000 } },
      ],
      [
        { ...production, PAYSTACK_API: 'http://127.0.0.1:9000' },
        {
          demo: false,
          payments: {
            provider: 'paystack',
            api: 'http://127.0.0.1:9000',
            secretKey: 'sk_live_0123456789',
          },
        },
      ],
      [
        { ...site, ...stripe },
        {
          demo: false,
          payments: {
            provider: 'stripe',
            api: 'https://api.stripe.com',
            secretKey: 'sk_live_0123456789',
            webhookSecret: 'whsec_0123456789',
          },
        },
      ],
      [
        s3,
        {
          demo: false,
          s3: {
            endpoint: 'https://s3.example',
            region: 'eu-west-1',
            bucket: 'music',
            accessKeyId: 'KEY',
            secretAccessKey: 'secret',
          },
        },
      ],
    ]),
  )('%s', (_name, env, expected) => {
    expect(parseConfig(env)).toMatchObject(expected);
  });
});

/** What only a site in production has. */
const productionSettings = {
  ...s3,
  ...stripe,
  AUTH_ORIGIN: 'https://auth.example',
  DATABASE_URL: 'postgresql://u:p@db/music',
  SMTP_URL: 'smtps://u:p@mail.example',
  MAIL_FROM: 'dj@music.example',
  TRUST_PROXY: '1',
  MIXPANEL_TOKEN: '0123456789abcdef',
};

it.each(Object.entries(productionSettings))(
  'demo mode doesn’t start with %s, even if nothing else is set',
  (name, value) => {
    expect(findProblems({ [name]: value })).not.toEqual([]);
  },
);

const mailServer = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'dj@music.example' };

describe('an invalid setting is rejected', () => {
  it.each(
    nameCases<RegExp>([
      [{ PORT: '65536' }, /^PORT must be a port/],
      [{ PORT: '-1' }, /^PORT must be a port/],
      [{ PORT: '80a' }, /^PORT must be a port/],
      [{ HOST: 'a b' }, /^HOST must be a host name/],
      [{ SITE_NAME: 'two\nlines' }, /^SITE_NAME must be one line/],
      [{ SITE_NAME: 'x'.repeat(61) }, /^SITE_NAME must have at most 60/],
      [{ SITE_TIME_ZONE: 'Mars/Olympus' }, /^SITE_TIME_ZONE must be a time zone/],
      [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of fatal, error, warn/],
      [
        { ...production, DATABASE_URL: 'mysql://db/music' },
        /^DATABASE_URL must start with postgres/,
      ],
      [{ ...production, DATABASE_URL: 'music.sqlite' }, /^DATABASE_URL must start with postgres/],
      [{ APP_ORIGIN: 'music.example' }, /^APP_ORIGIN must be an origin such as/],
      [{ APP_ORIGIN: 'ftp://music.example' }, /^APP_ORIGIN must be an origin such as/],
      [{ APP_ORIGIN: 'https://music.example/' }, /^APP_ORIGIN must be scheme and host only/],
      [{ APP_ORIGIN: 'https://music.example/app' }, /^APP_ORIGIN must be scheme and host only/],
      [{ APP_ORIGIN: 'https://u:p@music.example' }, /^APP_ORIGIN must be scheme and host only/],
      [{ APP_ORIGIN: 'http://music.example' }, /^APP_ORIGIN must start with https/],
      [{ APP_ORIGIN: 'http://127.evil.example' }, /^APP_ORIGIN must start with https/],
      [{ ...production, AUTH_ORIGIN: 'http://auth.example' }, /^AUTH_ORIGIN must start with https/],
      [
        { ...production, SMTP_URL: 'mail.example', MAIL_FROM: 'a@example.com' },
        /^SMTP_URL must start with smtp/,
      ],
      ...['smtp://u:100%@mail.example', 'smtps://u%ff:p@mail.example'].map((url): [Env, RegExp] => [
        { ...production, SMTP_URL: url, MAIL_FROM: 'a@example.com' },
        /^SMTP_URL must have a percent-encoded user name and password/,
      ]),
      [{ ...production, SMTP_URL: 'smtp://mail.example' }, /^MAIL_FROM is required when SMTP_URL/],
      [{ ...production, MAIL_FROM: 'nobody' }, /^MAIL_FROM must be an address/],
      [
        { ...production, ...mailServer, MAIL_RETURN_PATH: 'DJ <dj@x>' },
        /^MAIL_RETURN_PATH must be/,
      ],
      [{ ...production, ...mailServer, IMAP_URL: 'https://x' }, /^IMAP_URL must start with imap/],
      [{ ...production, ...mailServer, MAIL_WEBHOOK_SECRET: 'short' }, /^MAIL_WEBHOOK_SECRET must/],
      [{ ...production, IMAP_URL: 'imaps://u:p@x' }, /^SMTP_URL is required when IMAP_URL is set/],
      [
        { ...production, MAIL_FROM: 'a@example.com\nBcc: b@example.com' },
        /^MAIL_FROM must be an address/,
      ],
      [{ ...production, TRUST_PROXY: 'yes' }, /^TRUST_PROXY must be off or the number/],
      [{ ...production, TRUST_PROXY: '11' }, /^TRUST_PROXY must be off or the number/],
      [{ WORKER: 'maybe' }, /^WORKER must be on or off/],
      [{ DATABASE_URL: 'postgres://db/music' }, /^APP_ORIGIN is required when DATABASE_URL is set/],
      [{ TRUST_PROXY: '1' }, /^APP_ORIGIN is required when TRUST_PROXY is set/],
      [{ MAIL_FROM: 'a@example.com' }, /^APP_ORIGIN is required when MAIL_FROM is set/],
      [{ AUTH_ORIGIN: 'https://auth.example' }, /^APP_ORIGIN is required when AUTH_ORIGIN is set/],
      [
        { MIXPANEL_TOKEN: '0123456789abcdef' },
        /^APP_ORIGIN is required when MIXPANEL_TOKEN is set/,
      ],
      [{ ...production, MIXPANEL_TOKEN: 'a b' }, /^MIXPANEL_TOKEN must be the token of a project/],
      [{ MIXPANEL_HOST: 'http://service.example' }, /^MIXPANEL_HOST must start with https/],
      [{ MIXPANEL_MODE: 'only' }, /^MIXPANEL_MODE must be also or instead/],
      [{ ACCEL_PREFIX: 'protected' }, /^ACCEL_PREFIX must be a path/],
      [{ ACCEL_PREFIX: '/protected/' }, /^ACCEL_PREFIX must be a path/],
      [{ ...s3, S3_ENDPOINT: 'http://s3.example' }, /^S3_ENDPOINT must start with https.*music/],
      [{ ...s3, S3_ENDPOINT: 'https://s3.example/music' }, /^S3_ENDPOINT must be scheme and host/],
      [{ ...s3, S3_REGION: 'EU West' }, /^S3_REGION must be a region/],
      [{ ...s3, S3_BUCKET: 'my/music' }, /^S3_BUCKET must be the name of a bucket/],
      [
        { ...s3, S3_SECRET_ACCESS_KEY: '' },
        /^S3_SECRET_ACCESS_KEY is required when S3_ENDPOINT, S3_R/,
      ],
      [{ ...s3, APP_ORIGIN: '' }, /^APP_ORIGIN is required when S3_ENDPOINT, .* is set/],
      [{ ...s3, ACCEL_PREFIX: '/protected' }, /^ACCEL_PREFIX has no effect with S3/],
      [{ PAYMENTS: 'cash' }, /^PAYMENTS must be sandbox, paystack or stripe/],
      [site, /^PAYMENTS is sandbox, which gives .*PAYMENTS=paystack or PAYMENTS=stripe/],
      [{ ...site, PAYMENTS: 'sandbox' }, /^PAYMENTS is sandbox, which gives/],
      [
        { ...production, PAYSTACK_SECRET_KEY: '' },
        /^PAYSTACK_SECRET_KEY is required when PAYMENTS=pay/,
      ],
      [
        { ...production, PAYSTACK_SECRET_KEY: 'pk_live_0123456789' },
        /^PAYSTACK_SECRET_KEY must be/,
      ],
      [
        { ...production, PAYSTACK_API: 'http://pay.example' },
        /^PAYSTACK_API must start with https/,
      ],
      [
        { ...site, ...stripe, STRIPE_WEBHOOK_SECRET: '' },
        /^STRIPE_WEBHOOK_SECRET is required when PAYMENTS=s/,
      ],
      [
        { ...production, STRIPE_WEBHOOK_SECRET: 'whsec_0123456789' },
        /^PAYMENTS is paystack, but STRIPE_WEBHOOK_SECRET is set/,
      ],
      [{ ...production, PAYMENTS: '' }, /^PAYMENTS is sandbox, but PAYSTACK_SECRET_KEY is set/],
      [paystack, /^APP_ORIGIN is required when PAYSTACK_SECRET_KEY is set/],
      [{ SANDBOX_MONTH_SECONDS: '0' }, /^SANDBOX_MONTH_SECONDS must be a whole number/],
    ]),
  )('%s', (_name, env, problem) => {
    const problems = findProblems(env);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
  });

  it('together with all other problems', () => {
    const problems = findProblems({
      PORT: 'x',
      SITE_TIME_ZONE: 'x',
      SMTP_URL: 'x',
      WORKER: 'x',
      TRUST_PROXY: 'x',
    });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'PORT',
      'SITE_TIME_ZONE',
      'SMTP_URL',
      'TRUST_PROXY',
      'WORKER',
      'APP_ORIGIN',
      'MAIL_FROM',
    ]);
  });
});
