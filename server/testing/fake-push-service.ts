import { createECDH, randomBytes, webcrypto } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import ece from 'http_ece';
import { jwtVerify } from 'jose';
import type { PushSubscriptionBody } from '#contract/clients/notifications.ts';
import { DAY } from '#contract/rules/time.ts';

const CURVE = 'prime256v1';

/** A browser that has subscribed: it alone can read what the push service gets for it. */
export function createDevice(endpoint: string, keys: { privateKey?: Buffer; auth?: Buffer } = {}) {
  const { privateKey, auth = randomBytes(16) } = keys;
  const pair = createECDH(CURVE);
  if (privateKey) pair.setPrivateKey(privateKey);
  else pair.generateKeys();
  const subscription: PushSubscriptionBody = {
    endpoint,
    keys: { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') },
  };
  const decrypt = (body: Buffer): string =>
    ece
      .decrypt(body, { version: 'aes128gcm', privateKey: pair, authSecret: auth })
      .toString('utf8');
  return { subscription, decrypt };
}

/** Who sends, signed for this push service with the key that devices have subscribed with (RFC 8292). */
async function readSender(authorization: string, audience: string) {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  const curve = { name: 'ECDSA', namedCurve: 'P-256' };
  try {
    const point = Buffer.from(key, 'base64url');
    const verifier = await webcrypto.subtle.importKey('raw', point, curve, false, ['verify']);
    const { payload } = await jwtVerify(token, verifier, {
      algorithms: ['ES256'],
      audience,
      requiredClaims: ['exp', 'sub'],
    });
    const { exp = Infinity, sub = '' } = payload;
    return exp * 1000 <= Date.now() + DAY ? { key, sub } : null;
  } catch {
    return null;
  }
}

type Delivered = { device: string; message: unknown; key: string; sub: string; ttl: number };

/** A push service on the loopback address, which refuses what real ones refuse. */
export async function startPushService() {
  const devices = new Map<string, ReturnType<typeof createDevice>>();
  const gone = new Set<string>();
  const delivered: Delivered[] = [];
  let status = 201;
  const server = createServer((request, response) => {
    void buffer(request).then(async (body) => {
      const name = (request.url ?? '/').slice(1);
      const device = devices.get(name);
      const sender = await readSender(request.headers.authorization ?? '', origin);
      const { ttl } = request.headers;
      if (!device || gone.has(name)) return response.writeHead(410).end();
      if (!sender) return response.writeHead(403).end();
      if (request.headers['content-encoding'] !== 'aes128gcm' || ttl === undefined)
        return response.writeHead(400).end();
      if (status !== 201) return response.writeHead(status).end();
      const message: unknown = JSON.parse(device.decrypt(body));
      delivered.push({ device: name, message, ...sender, ttl: Number(ttl) });
      return response.writeHead(201).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    delivered,
    createDevice: (name: string): PushSubscriptionBody => {
      const device = createDevice(`${origin}/${name}`);
      devices.set(name, device);
      return device.subscription;
    },
    remove: (name: string) => void gone.add(name),
    answerWith: (next: number) => void (status = next),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
