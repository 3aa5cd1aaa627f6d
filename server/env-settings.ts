import { z } from 'zod';
import { isTimeZone } from '#contract/admin/settings.ts';
import { isLoopbackName } from './loopback.ts';
import { paymentsFields } from './payments-settings.ts';

/** What the software calls itself to other programs. A site has a name of its own. */
export const PRODUCT_NAME = 'Weekender';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const wholeNumber = (min: number, max: number, sentence: string) =>
  z
    .string()
    .regex(/^\d{1,6}$/, sentence)
    .transform(Number)
    .refine((value) => value >= min && value <= max, sentence);

/** The problem with an origin, or null. */
function findOriginProblem(text: string, whyEncrypted: string): string | null {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return 'must be an origin such as https://example.com.';
  if (url.origin !== text.toLowerCase())
    return `must be scheme and host only, such as ${url.origin}, without a path or a trailing slash.`;
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

const pageAddress = (address: string) =>
  urlWith(['https:', 'http:'], 'must be an address that starts with https://.').default(address);

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

/**
 * Every environment variable: how it is checked, its default, and its description. `.env.example` and
 * the table in docs/operations.md are generated from here: `node tools/settings-docs.ts`.
 */
export const EnvSettings = z.object({
  PORT: wholeNumber(0, 65_535, 'must be a port from 0 to 65535.')
    .default(3000)
    .meta({ description: 'Port to listen on; `0` picks a free one.' }),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'must be a host name or an address, such as 127.0.0.1.')
    .default('127.0.0.1')
    .meta({ description: 'Address to listen on.' }),
  DATA_DIR: z.string().default('./data').meta({
    description: 'Folder for uploaded files and, without `DATABASE_URL`, the database.',
  }),
  BACKUP_DIR: z.string().optional().meta({
    description: 'Folder of the [backups](#backup), on another disk.',
  }),
  SITE_NAME: z
    .string()
    .max(60, 'must have at most 60 characters.')
    .regex(/^\P{Cc}+$/u, 'must be one line of text.')
    .default(PRODUCT_NAME)
    .meta({ description: 'The name of the site. Overrides the settings page.' }),
  SITE_TIME_ZONE: z
    .string()
    .refine(isTimeZone, 'must be a time zone such as Africa/Johannesburg.')
    .default('Africa/Johannesburg')
    .meta({
      description: 'Decides when days and weeks start. Overrides the settings page.',
    }),
  LOG_LEVEL: z
    .enum(logLevels, { error: `must be one of ${logLevels.join(', ')}.` })
    .optional()
    .meta({
      fallback: '`info`, in demo mode `warn`',
      description: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
    }),
  APP_ORIGIN: origin.optional().meta({
    description:
      '**Required in production.** The origin of the site, such as `https://music.example`. Must be https, except on a loopback name.',
  }),
  HSTS: z
    .enum(['on', 'subdomains', 'off'], { error: 'must be on, subdomains or off.' })
    .default('on')
    .meta({
      description:
        'With https, tells browsers to open this name encrypted only, for a year. `subdomains` includes every name below it: only if all of them have a certificate. `off` is for a proxy that does it.',
    }),
  AUTH_ORIGIN: origin.optional().meta({
    fallback: 'same origin',
    description:
      'Another origin for the paths under `/api/auth/reset-password`. It must lead to this server too.',
  }),
  DATABASE_URL: urlWith(
    ['postgres:', 'postgresql:'],
    'must start with postgres:// or postgresql:// and name a host.',
  )
    .optional()
    .meta({
      fallback: 'SQLite',
      description: '`postgres://` or `postgresql://` URL of a PostgreSQL database.',
    }),
  SMTP_URL: urlWith(['smtp:', 'smtps:'], 'must start with smtp:// or smtps:// and name a host.')
    .refine(
      hasReadableLogin,
      'must have a percent-encoded user name and password: write a % as %25.',
    )
    .optional()
    .meta({
      fallback: 'outbox',
      description:
        '`smtp://` or `smtps://` URL of a mail server, such as `smtps://user:password@host:port`, with a percent-encoded user name and password.',
    }),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>\p{Cc}]+<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u,
      'must be an address such as name@example.com or Name <name@example.com>.',
    )
    .optional()
    .meta({ description: 'Sender of every e-mail; required with `SMTP_URL`.' }),
  MAIL_RETURN_PATH: z.email('must be an address such as returned@example.com.').optional().meta({
    fallback: 'the sender',
    description:
      'Where mail servers return e-mails that don’t arrive. Your mail server must allow this address as a sender.',
  }),
  IMAP_URL: urlWith(['imap:', 'imaps:'], 'must start with imap:// or imaps:// and name a host.')
    .refine(
      hasReadableLogin,
      'must have a percent-encoded user name and password: write a % as %25.',
    )
    .optional()
    .meta({
      description:
        'The mailbox to which e-mails are returned, such as `imaps://user:password@host/INBOX`, with a percent-encoded user name and password. Every five minutes it is read for reports about our e-mails; nothing in it is deleted.',
    }),
  MAIL_WEBHOOK_SECRET: z
    .string()
    .regex(
      /^[\w~+/.=-]{16,200}$/,
      'must be 16 to 200 letters and digits, such as a random password.',
    )
    .optional()
    .meta({
      fallback: 'no webhook',
      description:
        'Turns `POST /api/webhooks/mail` on, where a program hands in e-mails that came back. It sends this as a bearer token.',
    }),
  TRUST_PROXY: z
    .preprocess(
      (text) => (text === 'off' ? '0' : text),
      wholeNumber(0, 10, 'must be off or the number of trusted proxies, from 0 to 10.'),
    )
    .default(0)
    .meta({ fallback: '`off`', description: 'How many proxies are in front of the server.' }),
  ADMIN_TWO_STEP: z
    .enum(['required', 'optional'], { error: 'must be required or optional.' })
    .optional()
    .meta({
      fallback: '`required`, in demo mode `optional`',
      description: 'Whether administrators need two-step login or a passkey, after a week.',
    }),
  WORKER: z.enum(['on', 'off'], { error: 'must be on or off.' }).default('on').meta({
    description: '`off` runs no jobs in this process; then run `npm run worker` somewhere.',
  }),
  METRICS_TOKEN: z
    .string()
    .regex(
      /^[\w~+/.=-]{16,200}$/,
      'must be 16 to 200 letters and digits, such as a random password.',
    )
    .optional()
    .meta({
      fallback: 'no metrics',
      description: 'Turns `/metrics` on for Prometheus, which must send it as a bearer token.',
    }),
  FFMPEG_PATH: z.string().optional().meta({
    fallback: 'the one on the `PATH`, else from npm',
    description: 'The ffmpeg that reads and encodes audio.',
  }),
  ACCEL_PREFIX: z
    .string()
    .regex(/^(\/[\w-]+)+$/, 'must be a path such as /protected, without a trailing slash.')
    .optional()
    .meta({
      description:
        'Where nginx serves `DATA_DIR/files` internally, such as `/protected`; nginx then sends the audio.',
    }),
  CDN_URL: originWhere('the music must not travel unencrypted').optional().meta({
    description: 'Sends listeners to a CDN at this origin for audio and downloads. [How](cdn.md).',
  }),
  S3_ENDPOINT: originWhere('the music must not travel unencrypted').optional().meta({
    fallback: 'local disk',
    description: 'Stores files in an S3-compatible store; set all five `S3_` settings or none.',
  }),
  S3_REGION: z
    .string()
    .regex(
      /^[a-z0-9-]+$/,
      'must be a region such as eu-west-1; for stores without regions use us-east-1.',
    )
    .optional()
    .meta({ description: 'The region of the store.' }),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket, such as music.')
    .optional()
    .meta({ description: 'The bucket of the files.' }),
  S3_ACCESS_KEY_ID: z.string().optional().meta({ description: 'The access key of the store.' }),
  S3_SECRET_ACCESS_KEY: z
    .string()
    .optional()
    .meta({ description: 'The secret of the access key.' }),
  MIXPANEL_TOKEN: z
    .string()
    .regex(/^[\w-]{8,64}$/, 'must be the token of a project, such as 0123456789abcdef.')
    .optional()
    .meta({ description: 'Sends analytics events to Mixpanel too.' }),
  MIXPANEL_HOST: originWhere('analytics data must not travel unencrypted')
    .default('https://api-js.mixpanel.com')
    .meta({
      description: 'The Mixpanel API; `https://api-eu.mixpanel.com` stores the events in Europe.',
    }),
  MIXPANEL_MODE: z
    .enum(['also', 'instead'], { error: 'must be also or instead.' })
    .default('also')
    .meta({
      description:
        '`also`: this server forwards the events that it stores. `instead`: browsers send them to Mixpanel only, and this server stores none.',
    }),
  EVENT_DAYS: wholeNumber(1, 3650, 'must be a number of days from 1 to 3650.').default(400).meta({
    description:
      'Days after which single events are deleted; daily totals stay. At most 128 MB are stored per day. Overrides the settings page.',
  }),
  ...paymentsFields(originWhere('payment data must not travel unencrypted')),
  LISTENBRAINZ_URL: pageAddress('https://api.listenbrainz.org').meta({
    description:
      'Where listeners scrobble who name no server of their own; any server with ListenBrainz’s protocol.',
  }),
  LASTFM_API_KEY: z
    .string()
    .regex(/^[\da-f]{32}$/i, 'must be the API key of your API account, 32 letters and digits.')
    .optional()
    .meta({
      fallback: 'no Last.fm',
      description:
        'Lets listeners scrobble to Last.fm: the API key of an API account that you create there. ListenBrainz needs no setting.',
    }),
  LASTFM_API_SECRET: z
    .string()
    .regex(/^[\w-]{8,128}$/, 'must be the shared secret of your API account.')
    .optional()
    .meta({ description: 'The shared secret of the API account; required with `LASTFM_API_KEY`.' }),
  LASTFM_URL: pageAddress('https://ws.audioscrobbler.com/2.0/').meta({
    description:
      'Where the protocol of Last.fm is spoken; `https://libre.fm/2.0/` for Libre.fm, with `LASTFM_AUTH_URL`.',
  }),
  LASTFM_AUTH_URL: pageAddress('https://www.last.fm/api/auth/').meta({
    description: 'The page on which listeners allow it; `https://libre.fm/api/auth/` for Libre.fm.',
  }),
  PRIVATE_SERVERS: z.enum(['on', 'off'], { error: 'must be on or off.' }).default('off').meta({
    description:
      '`on` lets listeners scrobble to servers in private networks. They can then make this server send requests into its own network, so leave it off on a public site.',
  }),
  DEMO_MIXES: wholeNumber(0, 200, 'must be a number from 0 to 200.').default(200).meta({
    description: 'How many mixes demo mode creates at most; `0` creates none.',
  }),
});
