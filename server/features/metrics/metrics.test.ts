/** @module-tag both-databases */
import { afterEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser } from '../../testing/test-user.ts';
import { formatMetrics } from './exposition.ts';
import { parseMetrics } from '../../testing/parse-metrics.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

const TOKEN = 'quiet-harbour-at-dawn';

let test: TestApp | undefined;
afterEach(async () => {
  await test?.close();
  test = undefined;
});

const read = (app: TestApp, authorization?: string) =>
  app.app.inject({
    url: '/metrics',
    headers: { accept: 'text/plain', ...(authorization && { authorization }) },
  });

describe('/metrics', () => {
  itOnSqlite('doesn’t exist without a token in the settings', async () => {
    test = await createTestApp();
    for (const sent of [undefined, 'Bearer ', 'Bearer null', 'Bearer undefined'])
      expect((await read(test, sent)).statusCode).toBe(404);
  });

  itOnSqlite.each([undefined, 'Bearer', `Bearer ${TOKEN}x`, TOKEN, `Basic ${TOKEN}`])(
    'looks like an unknown address to one who sends %j',
    async (sent) => {
      test = await createTestApp({ env: { METRICS_TOKEN: TOKEN } });
      const { statusCode, body } = await read(test, sent);
      expect(statusCode).toBe(404);
      expect(body).not.toContain('process_');
    },
  );

  itOnSqlite('has requests by route, never by address', async () => {
    test = await createTestApp({ env: { METRICS_TOKEN: TOKEN } });
    const { client } = await createUser(test);
    await client.request({ url: '/api/tracks/some-id-of-nothing' });
    await client.request({ url: '/api/gifts/secret-token-of-a-gift?x=1' });
    await client.request({ url: '/no/such/path/secret-token', headers: { accept: 'text/plain' } });
    await client.request({
      method: 'POST',
      url: '/api/auth/login',
      payload: { username: 'thandi', password: 'wrong' },
    });
    const { statusCode, headers, body } = await read(test, `Bearer ${TOKEN}`);
    expect([statusCode, headers['content-type']]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(body).not.toMatch(/secret-token|some-id/);
    const metrics = parseMetrics(body);
    const value = (name: string, labels: Record<string, string> = {}) =>
      metrics
        .flatMap(({ samples }) => samples)
        .find(
          (sample) =>
            sample.name === name &&
            Object.entries(labels).every(([label, text]) => sample.labels[label] === text),
        )?.value;
    const track = { method: 'GET', route: '/api/tracks/:id' };
    expect(value('http_requests_total', { ...track, status: '4xx' })).toBe(1);
    expect(value('http_request_duration_seconds_count', track)).toBe(1);
    expect(value('http_request_duration_seconds_bucket', { ...track, le: '+Inf' })).toBe(1);
    expect(value('http_requests_total', { route: '(unknown)', status: '4xx' })).toBe(1);
    expect(value('weekender_refusals_total', { code: 'invalid_credentials' })).toBeGreaterThan(0);
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_eventloop_delay_seconds',
      'weekender_connections',
      'weekender_files_sending',
      'weekender_live_streams',
      'weekender_disk_free_bytes',
    ])
      expect([name, typeof value(name)]).toEqual([name, 'number']);
  });

  itOnSqlite('has the jobs, payments and the connections of the database', async () => {
    test = await createTestApp({ env: { METRICS_TOKEN: TOKEN } });
    const { client } = await createUser(test);
    await client.request({
      method: 'POST',
      url: '/api/auth/reset-password/request',
      payload: { email: 'thandi@example.com' },
    });
    const names = parseMetrics((await read(test, `Bearer ${TOKEN}`)).body).map(({ name }) => name);
    expect(names).toContain('weekender_jobs');
    if (test.deps.database.dialect === 'postgres')
      expect(names).toContain('weekender_database_connections');
  });

  itOnSqlite('answers without the figures of the database when that is gone', async () => {
    test = await createTestApp({ env: { METRICS_TOKEN: TOKEN } });
    await test.deps.database.db.schema.dropTable('jobs').execute();
    const { statusCode, body } = await read(test, `Bearer ${TOKEN}`);
    expect(statusCode).toBe(200);
    expect(parseMetrics(body).map(({ name }) => name)).not.toContain('weekender_jobs');
  });

  it('answers without the space on the disk when that is gone', async () => {
    test = await createTestApp({ env: { METRICS_TOKEN: TOKEN } });
    const { config } = test.deps;
    Object.assign(config, { dataDir: `${config.dataDir}/gone` });
    const names = parseMetrics((await read(test, `Bearer ${TOKEN}`)).body).map(({ name }) => name);
    expect(names).toContain('weekender_connections');
    expect(names).not.toContain('weekender_disk_free_bytes');
  });
});

describeOnSqlite('the text of metrics', () => {
  it('escapes what would break a line', () => {
    const text = formatMetrics([
      {
        name: 'a_total',
        help: 'Two\nlines and a \\.',
        type: 'counter',
        samples: [{ labels: { route: 'a"b\\c\nd' }, value: 1 }],
      },
    ]);
    expect(text).toBe(
      '# HELP a_total Two\\nlines and a \\\\.\n# TYPE a_total counter\na_total{route="a\\"b\\\\c\\nd"} 1\n',
    );
    expect(parseMetrics(text)[0]?.samples[0]?.labels).toEqual({ route: 'a"b\\c\nd' });
  });
});
