import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { ErrorBody, errorStatus } from '#contract/errors.ts';
import type { RenditionName } from '../../db/types/tables.ts';
import type { Asked } from './asked.ts';
import type { Person } from './people.ts';

const RENDITIONS: RenditionName[] = ['stream', 'dataSaver', 'preview', 'mp3', 'flac'];
/** Every file of a test consists of its name, so even a part of one tells which it is. */
const markOf = (name: RenditionName) => `${name.toUpperCase()}:${name.toUpperCase()}:`;

const fill = (path: string, params: Record<string, string> = {}) =>
  path.replace(/:(\w+)|\*/g, (found, name: string | undefined) => {
    const value = params[name ?? found];
    if (value === undefined) throw new Error(`The request for ${path} has no "${name ?? found}".`);
    return name === undefined ? value : encodeURIComponent(value);
  });

/** The request of a row, as this person sends it. */
export function toRequest(route: string, asked: Asked, person: Person): InjectOptions {
  const [method = '', path = ''] = route.split(' ');
  const { query, payload } = asked;
  const headers = {
    accept: path.startsWith('/api/') ? 'application/json' : '*/*',
    ...(person.cookie && { cookie: person.cookie }),
    ...asked.headers,
  };
  return {
    method,
    url: fill(path, asked.params),
    remoteAddress: person.address,
    headers,
    ...(query && { query }),
    ...(payload !== undefined && { payload }),
  };
}

/** Whether other sites may show the answer in a frame. */
const listFraming = ({ headers }: Pick<LightMyRequestResponse, 'headers'>): string[] =>
  String(headers['content-security-policy']).includes("frame-ancestors 'none'")
    ? []
    : ['frameable'];

/** An answer in the words of the table: the status, the code of an error, the audio in it. */
function describe({ statusCode, headers, body }: LightMyRequestResponse): string {
  const heard = RENDITIONS.filter((name) => body.includes(markOf(name)));
  const more = [...heard, ...listFraming({ headers })];
  const failure = /^\{"subsonic-response":\{"status":"failed".*"code":(\d+)/.exec(body)?.[1];
  if (failure !== undefined) return [statusCode, 'error', failure, ...more].join(' ');
  if (statusCode < 400) return [statusCode, ...more].join(' ');
  const isJson = String(headers['content-type']).startsWith('application/json');
  const error = isJson ? ErrorBody.safeParse(JSON.parse(body)).data : undefined;
  const isUsual =
    !error ||
    (error.code === 'unauthenticated' && statusCode === errorStatus.unauthenticated) ||
    (error.code === 'not_found' && statusCode === errorStatus.not_found);
  return [statusCode, ...(isUsual ? [] : [error.code]), ...more].join(' ');
}

export type Answer = { words: string; body: string };

/** An event stream never ends: its status is enough. */
async function askForEvents(app: FastifyInstance, request: InjectOptions): Promise<Answer> {
  const response = await app.inject({ ...request, payloadAsStream: true });
  response.stream().destroy();
  return { words: [response.statusCode, ...listFraming(response)].join(' '), body: '' };
}

export async function ask(app: FastifyInstance, request: InjectOptions): Promise<Answer> {
  if (request.url === '/api/live') return askForEvents(app, request);
  const response = await app.inject(request);
  return { words: describe(response), body: response.body };
}
