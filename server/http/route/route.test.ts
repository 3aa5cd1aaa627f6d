import Fastify, { type FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { api, type Api } from '#contract/api.ts';
import type { Deps } from '../../deps.ts';
import type { Guard } from './guards.ts';
import { assertEveryRouteRegistered, createRouter } from './route.ts';

/** Registering reads nothing of the dependencies. */
const deps = {} as Deps;

let app: FastifyInstance;
beforeEach(() => {
  app = Fastify();
  app.decorate('registeredRoutes', new Map<string, Guard>());
});

const register = (key: keyof Api) =>
  createRouter(app, deps).public(key, () => Promise.reject(new Error('not called')));

describe('registration', () => {
  it('rejects a route that is registered twice', () => {
    register('GET /api/version');
    expect(() => register('GET /api/version')).toThrow(
      'The route GET /api/version is registered twice.',
    );
  });

  it('fails at startup if a route of the contract has no handler', () => {
    const keys = Object.keys(api) as (keyof Api)[];
    for (const key of keys.slice(1)) register(key);
    expect(() => assertEveryRouteRegistered(app)).toThrow(`No handler for: ${keys[0]}.`);
    register(keys[0]!);
    expect(() => assertEveryRouteRegistered(app)).not.toThrow();
  });
});
