import { createHash } from 'node:crypto';
import { isLoopbackName } from '../../loopback.ts';

type ArrivedMail = { raw: Uint8Array; arrivedAt: number };

export type Mailbox = {
  /** The numbers of mails mean the same as long as this does. */
  uidValidity: number;
  /** The mails above a number, or since a day; lowest number first. */
  list: (from: { uid: number } | { since: number }) => Promise<number[]>;
  /** Its first part, if it is long. Null if it is gone. It stays unread. */
  read: (uid: number) => Promise<ArrivedMail | null>;
  markRead: (uid: number) => Promise<void>;
  close: () => Promise<void>;
};

/** A report comes before the mail that came back with it. */
const MAX_BYTES = 256 * 1024;

const LIMITS = { connectMs: 10_000, silenceMs: 30_000 };

function readImapUrl(text: string) {
  const { protocol, hostname, port, username, password, pathname } = new URL(text);
  const secure = protocol === 'imaps:';
  const isLocal = isLoopbackName(hostname);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : secure ? 993 : 143,
    secure,
    // Never send a password without TLS: the network may be tapped, or an attacker may disable TLS.
    ...(!secure && !isLocal && { doSTARTTLS: true }),
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    folder: decodeURIComponent(pathname.slice(1)) || 'INBOX',
  };
}

/** Without the password, which may change. */
export function nameMailbox(text: string): string {
  const { host, port, auth, folder } = readImapUrl(text);
  const name = [host, port, auth.user, folder].join('\n');
  return createHash('sha256').update(name).digest('hex').slice(0, 32);
}

/** What the server said, instead of “Command failed”. */
function describeRefusal(error: unknown): unknown {
  const said = (error as { responseText?: unknown }).responseText;
  if (typeof said !== 'string') return error;
  return new Error(`The IMAP server refused: ${said}`, { cause: error });
}

/** Loaded by the job that reads mail: few sites have one. */
export async function openMailbox(
  url: string,
  signal: AbortSignal,
  limits = LIMITS,
): Promise<Mailbox> {
  const { ImapFlow } = await import('imapflow');
  const { folder, ...settings } = readImapUrl(url);
  const client = new ImapFlow({
    ...settings,
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    socketTimeout: limits.silenceMs,
  });
  // The command that runs then rejects too.
  client.on('error', () => undefined);
  const close = () => client.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    await client.connect();
    const { uidValidity } = await client.mailboxOpen(folder);
    return {
      uidValidity: Number(uidValidity),
      async list(from) {
        const range =
          'uid' in from ? { uid: `${from.uid + 1}:*` } : { since: new Date(from.since) };
        const uids = (await client.search(range, { uid: true })) || [];
        // `n:*` always includes the last mail (RFC 3501, 6.4.8).
        const lowest = 'uid' in from ? from.uid : 0;
        return uids.filter((uid) => uid > lowest).toSorted((a, b) => a - b);
      },
      async read(uid) {
        const query = { source: { start: 0, maxLength: MAX_BYTES }, internalDate: true };
        const mail = await client.fetchOne(String(uid), query, { uid: true });
        if (!mail || !mail.source) return null;
        const arrivedAt = new Date(mail.internalDate ?? Number.NaN).getTime();
        return { raw: mail.source, arrivedAt };
      },
      async markRead(uid) {
        await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true });
      },
      close: async () => {
        signal.removeEventListener('abort', close);
        await client.logout().catch(close);
      },
    };
  } catch (error) {
    close();
    throw describeRefusal(error);
  }
}
