import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { PushSubscriptionBody } from '#contract/clients/notifications.ts';

const CURVE = 'prime256v1';

/** A browser that has subscribed: it alone can read what the push service gets for it. */
function createDevice(endpoint: string) {
  const pair = createECDH(CURVE);
  const publicKey = pair.generateKeys();
  const auth = randomBytes(16);
  const subscription: PushSubscriptionBody = {
    endpoint,
    keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
  };
  /** RFC 8291, with the encoding of RFC 8188. */
  function decrypt(body: Buffer): unknown {
    const [salt, keyLength] = [body.subarray(0, 16), body.readUInt8(20)];
    const senderKey = body.subarray(21, 21 + keyLength);
    const encrypted = body.subarray(21 + keyLength);
    const derive = (secret: Buffer, from: Buffer, info: Buffer | string, length: number) =>
      Buffer.from(hkdfSync('sha256', secret, from, info, length));
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey]);
    const secret = derive(pair.computeSecret(senderKey), auth, info, 32);
    const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
    const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce);
    decipher.setAuthTag(encrypted.subarray(-16));
    const padded = Buffer.concat([decipher.update(encrypted.subarray(0, -16)), decipher.final()]);
    // The last record ends with 2 and zeros.
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString('utf8'));
  }
  return { subscription, decrypt };
}

type Claims = { aud: string; exp: number; sub: string };

/** Who sends, signed with the key that devices have subscribed with (RFC 8292). */
function readSender(authorization: string): { key: string; claims: Claims } | null {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  const [header = '', payload = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  if (point.length !== 65) return null;
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Claims;
  return isSigned ? { key, claims } : null;
}

type Delivered = { device: string; message: unknown; key: string; sub: string; ttl: number };

/** A push service on the loopback address, which refuses what real ones refuse. */
export async function startPushService() {
  const devices = new Map<string, ReturnType<typeof createDevice>>();
  const gone = new Set<string>();
  const delivered: Delivered[] = [];
  let status = 201;
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const name = (request.url ?? '/').slice(1);
      const device = devices.get(name);
      const sender = readSender(request.headers.authorization ?? '');
      const { ttl } = request.headers;
      const isFresh = sender && sender.claims.exp * 1000 < Date.now() + 24 * 3600 * 1000;
      if (!device || gone.has(name)) return response.writeHead(410).end();
      if (!sender || !isFresh || sender.claims.aud !== origin) return response.writeHead(403).end();
      if (request.headers['content-encoding'] !== 'aes128gcm' || ttl === undefined)
        return response.writeHead(400).end();
      if (status !== 201) return response.writeHead(status).end();
      const { key, claims } = sender;
      const message = device.decrypt(body);
      delivered.push({ device: name, message, key, sub: claims.sub, ttl: Number(ttl) });
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
