import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': expect.stringContaining('camera=()'),
};

describe('without TLS', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test.close());

  it.each(['/api/version', '/api/gone', '/', '/media/avatars/gone.webp', '/healthz', '/%'])(
    'are on every answer: %s',
    async (url) => {
      const { headers } = await test.app.inject({ url });
      expect(headers).toMatchObject(everywhere);
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers).not.toHaveProperty('strict-transport-security');
    },
  );

  it('leave out what is only for pages on the files of a page', async () => {
    const { headers } = await test.app.inject({ url: '/assets/gone.js' });
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers).not.toHaveProperty('permissions-policy');
    expect(headers).not.toHaveProperty('cross-origin-opener-policy');
  });

  it('keep API answers out of caches', async () => {
    const { headers } = await test.app.inject({ url: '/api/auth/me' });
    expect(headers['cache-control']).toBe('no-store');
  });
});

it.each([
  [{}, "connect-src 'self';", 'null'],
  [{ MIXPANEL_TOKEN: '0123456789abcdef' }, "connect-src 'self';", 'null'],
  [
    { MIXPANEL_TOKEN: '0123456789abcdef', MIXPANEL_MODE: 'instead' },
    "connect-src 'self' https://api-js.mixpanel.com;",
    '"host":"https://api-js.mixpanel.com"',
  ],
])(
  'allow a page to call the analytics service only if browsers send it events: %j',
  async (env, calls, setting) => {
    const origin: Record<string, string> = { APP_ORIGIN: 'https://app.example' };
    const test = await createTestApp({ env: { ...origin, ...env } });
    try {
      const { headers, body } = await test.app.inject({
        url: '/',
        headers: { accept: 'text/html' },
      });
      expect(headers['content-security-policy']).toContain(calls);
      expect(/"mixpanel":(\{[^}]*\}|null)/.exec(body)?.[1]).toContain(setting);
    } finally {
      await test.close();
    }
  },
);

it.each([
  [{}, "connect-src 'self';", ''],
  [
    { AUTH_ORIGIN: 'https://auth.example' },
    "connect-src 'self' https://auth.example;",
    'https://auth.example',
  ],
])(
  'tell a page where passwords are reset, and let it call that host: %j',
  async (env, calls, to) => {
    const test = await createTestApp({ env: { APP_ORIGIN: 'https://app.example', ...env } });
    try {
      const { headers, body } = await test.app.inject({
        url: '/',
        headers: { accept: 'text/html' },
      });
      expect(headers['content-security-policy']).toContain(calls);
      expect(body).toContain(`"authOrigin":"${to}"`);
    } finally {
      await test.close();
    }
  },
);

it('with TLS there is HSTS and a __Host- cookie', async () => {
  const test = await createTestApp({ env: { APP_ORIGIN: 'https://app.example' } });
  try {
    const response = await test.app.inject({
      method: 'POST',
      url: '/api/auth/register',
      payload: { username: 'thandi', email: 'thandi@example.com', password: 'long enough here' },
    });
    expect(response.headers['strict-transport-security']).toBe('max-age=31536000');
    expect(response.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      expect.stringMatching(
        /^__Host-device=[\w.-]{87}; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  } finally {
    await test.close();
  }
});

it.each([
  ['on', 'max-age=31536000'],
  ['subdomains', 'max-age=31536000; includeSubDomains'],
  ['off', undefined],
])('HSTS speaks for other names only if the operator says so: %s', async (HSTS, header) => {
  const test = await createTestApp({ env: { APP_ORIGIN: 'https://example.com', HSTS } });
  try {
    const { headers } = await test.app.inject({ url: '/', headers: { accept: 'text/html' } });
    expect(headers['strict-transport-security']).toBe(header);
  } finally {
    await test.close();
  }
});
