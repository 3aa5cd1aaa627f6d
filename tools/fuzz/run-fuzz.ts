import type { AddressInfo } from 'node:net';
import fc, { type Arbitrary } from 'fast-check';
import type { InjectOptions } from 'fastify';
import type { Database } from '#server/db/connect.ts';
import { findProblem, type FuzzAnswer } from './check-answer.ts';
import { openFuzzSite, type FuzzSite } from './fuzz-site.ts';
import { rawRequests, sendRawBytes } from './raw-requests.ts';
import { listGenerators, type FuzzRequest, type OpenApi } from './requests.ts';
import { KNOWN_ID } from './schema-values.ts';

export type FuzzFinding = { what: string; request: string; answer: string; log: string };
export type FuzzResult = {
  requests: number;
  /** How many of them were bytes over a socket. */
  raw: number;
  /** How often each status came, which shows how deep the requests got. */
  statuses: Map<number, number>;
  findings: FuzzFinding[];
};

/** So many requests share their accounts. */
const ROUND = 500;
/** One in so many goes over a socket. */
const RAW_SHARE = 20;
const IN_PARALLEL = 8;
const MAX_FINDINGS = 50;

const shorten = (text: string) => (text.length > 600 ? `${text.slice(0, 600)}…` : text);

/** Puts real ids where the request has numbers for them. */
function fillIn(text: string, known: readonly string[], isEncoded = false): string {
  const source = isEncoded ? /%F3%B0%80%80(\d+)%F3%B0%80%81/g : KNOWN_ID;
  return text.replace(source, (_found, index: string) => known[Number(index) % known.length] ?? '');
}

function toInjection(site: FuzzSite, request: FuzzRequest): InjectOptions {
  const known = site.known();
  const person = site.people()[request.role];
  const query = request.query.map(([name, value]): [string, string] => [
    name,
    fillIn(value, known),
  ]);
  const search = new URLSearchParams(query);
  const path = fillIn(request.path, known, true);
  return {
    method: request.method,
    url: query.length > 0 ? `${path}?${search.toString()}` : path,
    remoteAddress: `10.${request.address & 1}.${request.address >> 8}.${request.address & 255}`,
    headers: { ...(person.cookie && { cookie: person.cookie }), ...request.headers },
    ...(request.body !== null && { payload: fillIn(request.body, known) }),
  };
}

async function inject(site: FuzzSite, request: InjectOptions): Promise<FuzzAnswer> {
  const response = await site.app.inject({ ...request, payloadAsStream: true });
  const contentType = response.headers['content-type'] ?? '';
  const stream = response.stream();
  // An event stream never ends.
  if (response.statusCode < 400) {
    stream.on('error', () => undefined).destroy();
    return { status: response.statusCode, contentType, body: '' };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return { status: response.statusCode, contentType, body: Buffer.concat(chunks).toString() };
}

type Round = {
  site: FuzzSite;
  port: number;
  generator: Arbitrary<FuzzRequest>;
  result: FuzzResult;
};

const count = (result: FuzzResult, status: number) =>
  result.statuses.set(status, (result.statuses.get(status) ?? 0) + 1);

function report(result: FuzzResult, finding: FuzzFinding) {
  if (result.findings.length < MAX_FINDINGS) result.findings.push(finding);
}

async function sendOne({ site, result }: Round, request: FuzzRequest) {
  const injection = toInjection(site, request);
  const describe = () => shorten(JSON.stringify({ as: request.role, ...injection }));
  try {
    const answer = await inject(site, injection);
    count(result, answer.status);
    const what = findProblem(request.method, answer);
    if (!what) return;
    report(result, {
      what,
      request: describe(),
      answer: `${answer.status} ${shorten(answer.body)}`,
      log: shorten(site.lastError()),
    });
  } catch (error) {
    const log = (error as Error).stack ?? '';
    // The client of the test refuses to send some addresses.
    if (/ERR_INVALID_(?:URL|CHAR)|ERR_UNESCAPED|Invalid URL|Invalid character/.test(log)) return;
    report(result, { what: 'There was no answer.', request: describe(), answer: '', log });
  }
}

async function sendRaw({ port, result }: Round, bytes: Buffer) {
  const outcome = await sendRawBytes(port, bytes);
  const request = shorten(JSON.stringify(bytes.toString('latin1')));
  if (outcome.kind === 'silent')
    report(result, { what: 'Neither an answer nor an end.', request, answer: '', log: '' });
  if (outcome.kind !== 'answer') return;
  const { answer } = outcome;
  count(result, answer.status);
  const what = findProblem(bytes.toString('latin1').startsWith('HEAD ') ? 'HEAD' : 'GET', answer);
  if (what) report(result, { what, request, answer: `${answer.status} ${answer.body}`, log: '' });
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>) {
  const waiting = [...items];
  const run = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: IN_PARALLEL }, run));
}

async function runRound(round: Round, requests: number, seed: number) {
  const { site, generator, result } = round;
  const rawCount = Math.floor(requests / RAW_SHARE);
  await site.renew();
  await inParallel(
    fc.sample(generator, { numRuns: requests - rawCount, seed }),
    async (request) => {
      site.advance(1000);
      await sendOne(round, request);
    },
  );
  if (rawCount > 0)
    await inParallel(fc.sample(rawRequests, { numRuns: rawCount, seed }), (bytes) =>
      sendRaw(round, bytes),
    );
  result.requests += requests;
  result.raw += rawCount;
}

/** Sends requests to a site on this database, the same ones for the same seed. */
export async function runFuzz(
  database: Database,
  { requests, seed }: { requests: number; seed: number },
): Promise<FuzzResult> {
  const result: FuzzResult = { requests: 0, raw: 0, statuses: new Map(), findings: [] };
  const site = await openFuzzSite(database);
  try {
    await site.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = site.app.server.address() as AddressInfo;
    const document = (await site.app.inject('/api/openapi.json')).json<OpenApi>();
    const routes = site.app.routeList.flatMap(({ method, url }) =>
      [method].flat().map((name) => `${name} ${url}`),
    );
    const generator = fc.oneof(...listGenerators(document, routes));
    const round = { site, port, generator, result };
    for (let sent = 0; sent < requests; sent += ROUND)
      await runRound(round, Math.min(ROUND, requests - sent), seed + sent);
    const isAlive = (await site.app.inject('/api/version')).statusCode === 200;
    if (!isAlive)
      report(result, { what: 'The server answers no more.', request: '', answer: '', log: '' });
  } finally {
    await site.close();
  }
  return result;
}
