import { isIP, isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback, isLoopbackName, unmapAddress } from '../../loopback.ts';

/** The first groups of an IPv6 address. */
function toPrefix(address: string, groupCount: number): string {
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const left = groups(head);
  const right = groups(tail ?? '');
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const all = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right];
  const prefix = all.slice(0, groupCount).map((group) => Number.parseInt(group, 16).toString(16));
  return `${prefix.join(':')}::/${groupCount * 16}`;
}

/** One household has a whole /64 of IPv6 addresses, so rate limits count it as one address. */
export function toRateLimitAddress(address: string): string {
  const plain = unmapAddress(address);
  return isIPv6(plain) ? toPrefix(plain, 4) : plain;
}

/** The /48 of a network that `toRateLimitAddress` gives for IPv6; null for anything else. */
export const toWideNetwork = (network: string): string | null =>
  network.endsWith('::/64') ? toPrefix(network.slice(0, -'/64'.length), 3) : null;

/** The network of an address, and for IPv6 the larger one that a provider gives to one customer. */
export function toNetworks(address: string): { network: string; wideNetwork: string | null } {
  const plain = unmapAddress(address);
  return isIPv6(plain)
    ? { network: toPrefix(plain, 4), wideNetwork: toPrefix(plain, 3) }
    : { network: plain.replace(/\.\d+$/, '.0/24'), wideNetwork: null };
}

const forwardingHeader =
  /^(?:forwarded|via|x-forwarded.*|x-real-ip|x-client-ip|x-original-.*|true-client-ip|cf-.*|cdn-loop)$/;

/** A proxy adds headers, or speaks HTTP/1.0 as nginx does unless told otherwise; browsers do neither. */
const isForwarded = ({ headers, raw }: FastifyRequest): boolean =>
  raw.httpVersion === '1.0' || Object.keys(headers).some((name) => forwardingHeader.test(name));

const hostNameOf = ({ headers }: FastifyRequest): string =>
  (headers.host ?? '').replace(/:\d+$/, '');

/**
 * Whether a request comes from this machine, without a proxy, and under a loopback name: a website
 * could point its own name at 127.0.0.1.
 */
export const isLocalRequest = (request: FastifyRequest): boolean =>
  isLoopback(request.socket.remoteAddress ?? '') &&
  isLoopbackName(hostNameOf(request)) &&
  !isForwarded(request);

/**
 * Whether a person's browser shows the site under another name than this machine's. A program could
 * say so too, but its requests say nothing about a proxy.
 */
function isUnderOtherName(request: FastifyRequest): boolean {
  const { 'user-agent': agent = '', 'sec-fetch-site': site, origin, referer } = request.headers;
  if (!agent.startsWith('Mozilla/')) return false;
  if (!isLoopbackName(hostNameOf(request))) return true;
  // A proxy may replace the name, but the browser also says which page asks.
  const page = site === 'same-origin' ? URL.parse(origin ?? referer ?? '') : null;
  return page !== null && !isLoopbackName(page.hostname);
}

/**
 * A proxy that adds nothing of its own makes a request from anywhere look like one from this machine.
 * But it also lets visitors through, whose browsers show that it is there: `onSeen` is called before
 * the first of them gets an answer. Only in demo mode.
 */
export function watchForProxies(
  app: FastifyInstance,
  { demo }: { demo: boolean },
  onSeen: () => Promise<void>,
) {
  if (!demo) return;
  let isSeen = false;
  const note = async () => {
    await onSeen();
    isSeen = true;
  };
  app.addHook('onRequest', (request, _reply, done) =>
    isSeen || !isUnderOtherName(request) ? done() : note(),
  );
}

/** With a name such as `music.example` or `localhost`, not a bare address. */
export const isNamedOrigin = (origin: string): boolean =>
  isIP(new URL(origin).hostname.replace(/[[\]]/g, '')) === 0;

/** The origin under which this machine reaches a server bound to this address. */
export function toOrigin(address: string, port: number): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`;
}
