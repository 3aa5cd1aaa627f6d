import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { api } from './api.ts';
import type { RouteSpec } from './route.ts';
import { Email, LoginBody, NewPassword, ProfileBody, RegisterBody, Username } from './accounts.ts';

const accepts = (schema: { safeParse: (value: unknown) => { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe('username', () => {
  it.each(['abc', 'thandi.nkosi', 'dj_42', 'Ünal', 'Sipho-M', '7eleven', '日本語', 'x'.repeat(30)])(
    'may be %s',
    (name) => {
      expect(accepts(Username, name)).toBe(true);
    },
  );

  it.each([
    'ab',
    'x'.repeat(31),
    '.abc',
    '-abc',
    'a b c',
    'a@example.com',
    'a/b',
    '<b>x',
    'a\nbc',
    '',
  ])('may not be %j', (name) => {
    expect(accepts(Username, name)).toBe(false);
  });

  it('is trimmed', () => {
    expect(Username.parse('  thandi ')).toBe('thandi');
  });

  it('never looks like an e-mail address, so that one login field serves both', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\p{L}\p{N}@._ -]{1,40}$/u), (text) => {
        fc.pre(text.includes('@'));
        expect(accepts(Username, text)).toBe(false);
      }),
    );
  });
});

describe('e-mail address', () => {
  it.each(['a@example.com', 'first.last+tag@sub.example.co.za', ' a@example.com '])(
    'may be %j',
    (address) => {
      expect(accepts(Email, address)).toBe(true);
    },
  );

  it.each([
    '',
    'a',
    'a@',
    '@example.com',
    'a@b',
    'a b@example.com',
    'a@example.com\nb',
    'a,b@example.com',
    `${'x'.repeat(250)}@example.com`,
  ])('may not be %j', (address) => {
    expect(accepts(Email, address)).toBe(false);
  });

  it('never contains a line break or a second address', () => {
    fc.assert(
      fc.property(
        fc.emailAddress(),
        fc.constantFrom(...',;<>\n\r\t @'.split('')),
        (address, sign) => {
          const at = address.indexOf('@');
          expect(accepts(Email, address.slice(0, at) + sign + address.slice(at))).toBe(false);
          expect(accepts(Email, `${address}${sign}x@example.com`)).toBe(false);
        },
      ),
    );
  });
});

describe('new password', () => {
  it.each(['correct horse', 'weekender-demo', 'ünïcödé pass', 'x7!kq29z', ' spaces count '])(
    'may be %j',
    (password) => {
      expect(NewPassword.parse(password)).toBe(password);
    },
  );

  it.each([
    ['short', 'Use at least 8 characters.'],
    ['y'.repeat(129), 'Use at most 128 characters.'],
  ])('may not be %s', (password, message) => {
    expect(NewPassword.safeParse(password).error?.issues[0]?.message).toBe(message);
  });
});

describe('registration', () => {
  const good = { username: 'thandi.nkosi', email: 'thandi@example.com', password: 'long enough 1' };

  it.each([good, { ...good, isSubscriber: false }, { ...good, isSubscriber: true }])(
    'accepts %j',
    (body) => {
      expect(accepts(RegisterBody, body)).toBe(true);
    },
  );

  it.each([
    { ...good, isAdmin: true },
    { ...good, password: 'Thandi.Nkosi' },
    { ...good, password: 'THANDI@example.com' },
    { ...good, email: undefined },
    { ...good, isSubscriber: 'false' },
  ])('rejects %j', (body) => {
    expect(accepts(RegisterBody, body)).toBe(false);
  });
});

it('a login accepts a weak password, because it may be an old one', () => {
  expect(accepts(LoginBody, { username: 'thandi', password: '1' })).toBe(true);
  expect(accepts(LoginBody, { username: '', password: '1' })).toBe(false);
  expect(accepts(LoginBody, { username: 'thandi', password: '' })).toBe(false);
  expect(accepts(LoginBody, { username: 'thandi', password: 'x'.repeat(129) })).toBe(false);
});

/** The schema as text, to search it. Dates and the like have no JSON schema. */
const describeSchema = (schema: RouteSpec['body' | 'response']): string =>
  typeof schema === 'object'
    ? JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
    : '';

it('a password is sent to register, to log in and to protect the account, and never returned', () => {
  const routes = Object.entries<RouteSpec>(api);
  const withPassword = (field: 'body' | 'response') =>
    routes.filter(([, route]) => /password/i.test(describeSchema(route[field])));
  expect(withPassword('body').map(([key]) => key)).toEqual([
    'POST /api/auth/login',
    'POST /api/auth/register',
    'POST /api/auth/reset-password/confirm',
    'PATCH /api/users/:id',
    'POST /api/me/confirm',
    'POST /api/me/password',
    'POST /api/me/totp',
    'POST /api/me/totp/recovery-codes',
    'DELETE /api/me/totp',
    'DELETE /api/me',
  ]);
  // A new one for an app, which we made and show once.
  expect(withPassword('response').map(([key]) => key)).toEqual(['POST /api/me/app-passwords']);
});

it('no request but an administrator’s may say who is an administrator, and none who subscribes', () => {
  const routesWith = (field: string) =>
    Object.entries<RouteSpec>(api)
      .filter(([, { params, query, body }]) =>
        [params, query, body].some((schema) => describeSchema(schema).includes(`"${field}"`)),
      )
      .map(([key]) => key);
  // Registering takes the field and ignores it.
  expect(routesWith('isSubscriber')).toEqual(['POST /api/auth/register']);
  expect(routesWith('isAdmin')).toEqual(['PUT /api/admin/subscribers/:id/admin']);
});

it('a profile change requires at least one field', () => {
  expect(accepts(ProfileBody, { username: 'thandi' })).toBe(true);
  expect(accepts(ProfileBody, { email: 'a@example.com' })).toBe(true);
  expect(accepts(ProfileBody, {})).toBe(false);
  expect(accepts(ProfileBody, { username: undefined })).toBe(false);
  expect(accepts(ProfileBody, { isSubscriber: true })).toBe(false);
});
