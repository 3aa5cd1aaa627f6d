import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { PasskeyLoginBody, NewPasskeyBody } from '#contract/security.ts';
import type { z } from 'zod';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const encode = (data: string | Buffer): string => Buffer.from(data).toString('base64url');

const head = (type: number, size: number): Buffer =>
  size < 24
    ? Buffer.from([type | size])
    : size < 256
      ? Buffer.from([type | 24, size])
      : Buffer.from([type | 25, size >> 8, size & 255]);
const cborText = (text: string) => Buffer.concat([head(0x60, text.length), Buffer.from(text)]);
const cborBytes = (data: Buffer) => Buffer.concat([head(0x40, data.length), data]);

/** A public key in COSE form: an elliptic curve, ES256, P-256, x and y. */
function toCose(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    cborBytes(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    cborBytes(Buffer.from(y, 'base64url')),
  ]);
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

type Ceremony = {
  challenge: string;
  origin?: string;
  rpId?: string;
  /** False if the device hasn't asked for a finger or a PIN. */
  isVerified?: boolean;
};

/** An authenticator in software, with one passkey. It signs whatever a test asks for. */
export function createAuthenticator(site: { origin: string; userId: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  let counter = 0;

  const buildData = (ceremony: Ceremony, flags: number, rest = Buffer.alloc(0)): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const rpId = ceremony.rpId ?? new URL(site.origin).hostname;
    const verified = ceremony.isVerified === false ? 0 : VERIFIED;
    return Buffer.concat([sha256(rpId), Buffer.from([flags | PRESENT | verified]), count, rest]);
  };
  const buildClientData = (type: string, { challenge, origin = site.origin }: Ceremony): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const id = encode(credentialId);
  const named = { id, rawId: id, type: 'public-key' as const };

  return {
    setCounter: (next: number) => {
      counter = next;
    },
    register(ceremony: Ceremony): z.input<typeof NewPasskeyBody> {
      const length = Buffer.from([0, credentialId.length]);
      const key = Buffer.concat([Buffer.alloc(16), length, credentialId, toCose(publicKey)]);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        cborBytes(buildData(ceremony, HAS_KEY, key)),
      ]);
      const response = {
        clientDataJSON: encode(buildClientData('webauthn.create', ceremony)),
        attestationObject: encode(attestation),
        transports: ['internal'],
      };
      return { credential: { ...named, response } };
    },
    logIn(ceremony: Ceremony): z.input<typeof PasskeyLoginBody> {
      counter += 1;
      const data = buildData(ceremony, 0);
      const clientData = buildClientData('webauthn.get', ceremony);
      const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey);
      const response = {
        clientDataJSON: encode(clientData),
        authenticatorData: encode(data),
        signature: encode(signature),
        userHandle: encode(site.userId),
      };
      return { credential: { ...named, response } };
    },
  };
}
export type Authenticator = ReturnType<typeof createAuthenticator>;
