import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { parseConfig } from '../../config.ts';
import { clearCookie, readCookie, setCookie } from './cookies.ts';

const atHome = parseConfig({});
const online = { ...atHome, appOrigin: 'https://music.example' };

it('sets cookies that only this site gets, and only over HTTPS where there is HTTPS', async () => {
  const app = Fastify();
  app.get('/', async (_request, reply) => {
    setCookie(atHome, reply, { name: 'session', value: 'a b', maxAge: 60 });
    setCookie(online, reply, { name: 'session', value: 'c', maxAge: 60 });
  });
  const { headers } = await app.inject('/');
  expect(headers['set-cookie']).toEqual([
    'session=a%20b; Max-Age=60; Path=/; HttpOnly; SameSite=Lax',
    '__Host-session=c; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
  ]);
});

it('sends only the last of several cookies with one name', async () => {
  const app = Fastify();
  app.get('/', async (_request, reply) => {
    setCookie(atHome, reply, { name: 'session', value: 'old', maxAge: 60 });
    setCookie(atHome, reply, { name: 'device', value: 'known', maxAge: 60 });
    clearCookie(atHome, reply, 'session');
  });
  const { cookies } = await app.inject('/');
  expect(cookies).toMatchObject([
    { name: 'device', value: 'known' },
    { name: 'session', value: '', maxAge: 0 },
  ]);
});

it('reads a cookie under the name it was set with', async () => {
  const app = Fastify();
  app.get('/', (request, reply) => {
    reply.send([
      readCookie(atHome, request, 'session'),
      readCookie(online, request, 'session'),
      readCookie(online, request, 'device'),
    ]);
  });
  const cookie = 'other=1; session=a%20b; __Host-session=c';
  const answer = await app.inject({ url: '/', headers: { cookie } });
  expect(answer.json()).toEqual(['a b', 'c', null]);
  expect((await app.inject('/')).json()).toEqual([null, null, null]);
});
