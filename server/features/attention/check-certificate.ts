import { connect, type PeerCertificate } from 'node:tls';
import { isIP } from 'node:net';
import { formatDayAndTime } from '#contract/rules/format.ts';
import { DAY, SECOND } from '#contract/rules/time.ts';
import type { Check } from './check.ts';

const SOON_MS = 14 * DAY;
/** Renewing takes a moment, but somebody has to be awake for it. */
const URGENT_MS = 2 * DAY;
const TIMEOUT_MS = 10 * SECOND;

type Presented = {
  endsAt: number;
  /** Why a browser would refuse it; null if it wouldn’t. */
  refusal: string | null;
};

const REFUSALS: Record<string, string> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it isn’t valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'it is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its chain is incomplete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'it is signed by an unknown authority',
};

/** The certificate that visitors get. It is read even if it isn’t valid: that is what we want to know. */
function readCertificate(origin: URL, authorities?: string): Promise<Presented> {
  const host = origin.hostname.replace(/^\[|\]$/g, '');
  const { promise, resolve, reject } = Promise.withResolvers<Presented>();
  const socket = connect({
    host,
    port: Number(origin.port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    ...(authorities !== undefined && { ca: authorities }),
    rejectUnauthorized: false,
  });
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`${origin.host} didn’t answer.`)));
  socket.once('error', reject);
  socket.once('close', () => reject(new Error(`${origin.host} closed the connection.`)));
  socket.once('secureConnect', () => {
    const certificate: Partial<PeerCertificate> = socket.getPeerCertificate();
    const endsAt = Date.parse(certificate.valid_to ?? '');
    // The types promise an error, but it is its code.
    const error: unknown = socket.authorizationError;
    const code = error instanceof Error ? 'UNKNOWN' : String(error);
    socket.destroy();
    if (Number.isNaN(endsAt)) reject(new Error(`${origin.host} showed no certificate.`));
    else
      resolve({
        endsAt,
        refusal: socket.authorized ? null : (REFUSALS[code] ?? code),
      });
  });
  return promise;
}

/** What visitors get at the site’s own address, once a day. `authorities` are those of a test. */
export const createCertificateCheck = (authorities?: string): Check => ({
  kind: 'certificate',
  everyMs: DAY,
  look: async ({ config, clock }) => {
    const origin = URL.parse(config.appOrigin ?? '');
    if (origin?.protocol !== 'https:') return null;
    const { endsAt, refusal } = await readCertificate(origin, authorities);
    const left = endsAt - clock.now();
    const ends = formatDayAndTime(endsAt, config.timeZone);
    if (left <= 0)
      return { text: `The certificate ended ${ends}: browsers refuse the site.`, isUrgent: true };
    if (refusal !== null)
      return { text: `Browsers refuse the site’s certificate: ${refusal}.`, isUrgent: true };
    if (left > SOON_MS) return null;
    return {
      text: `The certificate ends ${ends}, and nothing has renewed it. Look at the proxy’s log.`,
      isUrgent: left <= URGENT_MS,
    };
  },
});
