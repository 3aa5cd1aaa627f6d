import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Family, Sample } from './exposition.ts';

/** In seconds. Few, because each is a series for every route. */
const BUCKETS = [0.005, 0.025, 0.1, 0.25, 1, 5];

type Series = {
  method: string;
  route: string;
  /** How many took at most so long; the last one has the rest. */
  counts: number[];
  seconds: number;
  /** By the first digit of the status. */
  statuses: number[];
};

/** The pattern of the route, never the address: that may contain a token, or anything at all. */
const routeOf = ({ routeOptions }: FastifyRequest, { statusCode }: FastifyReply): string =>
  routeOptions.url ?? (statusCode === 404 ? '(unknown)' : '(page)');

/** Anyone can send any method. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Measures every request by its route. */
export function measureRequests(app: FastifyInstance): () => Family[] {
  const all = new Map<string, Series>();

  function findSeries(method: string, route: string): Series {
    const key = `${method} ${route}`;
    const known = all.get(key);
    if (known) return known;
    const counts = Array<number>(BUCKETS.length + 1).fill(0);
    const series = { method, route, counts, seconds: 0, statuses: Array<number>(6).fill(0) };
    all.set(key, series);
    return series;
  }

  app.addHook('onResponse', (request, reply, done) => {
    const method = METHODS.has(request.method) ? request.method : 'OTHER';
    const series = findSeries(method, routeOf(request, reply));
    const seconds = reply.elapsedTime / 1000;
    const bucket = BUCKETS.findIndex((limit) => seconds <= limit);
    const index = bucket < 0 ? BUCKETS.length : bucket;
    series.counts[index] = (series.counts[index] ?? 0) + 1;
    series.seconds += seconds;
    const digit = Math.floor(reply.statusCode / 100);
    series.statuses[digit] = (series.statuses[digit] ?? 0) + 1;
    done();
  });

  function toHistogram({ method, route, counts, seconds }: Series): Sample[] {
    let total = 0;
    const buckets = counts.map((count, index): Sample => {
      total += count;
      const le = String(BUCKETS[index] ?? '+Inf');
      return { suffix: '_bucket', labels: { method, route, le }, value: total };
    });
    return [
      ...buckets,
      { suffix: '_sum', labels: { method, route }, value: seconds },
      { suffix: '_count', labels: { method, route }, value: total },
    ];
  }

  return () => [
    {
      name: 'http_requests_total',
      help: 'Answered requests by route and class of status.',
      type: 'counter',
      samples: [...all.values()].flatMap(({ method, route, statuses }) =>
        statuses.flatMap((value, digit) =>
          value > 0 ? [{ labels: { method, route, status: `${digit}xx` }, value }] : [],
        ),
      ),
    },
    {
      name: 'http_request_duration_seconds',
      help: 'How long answers took, for audio until the last byte.',
      type: 'histogram',
      samples: [...all.values()].flatMap(toHistogram),
    },
  ];
}
