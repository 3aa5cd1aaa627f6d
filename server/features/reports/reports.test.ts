import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportNames } from '#contract/admin/report-groups.ts';
import { Report } from '#contract/admin/reports.ts';
import { splitIntoMonths } from './play-sums.ts';
import { streamCsv } from '../../http/send/csv.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createUser } from '../../testing/test-user.ts';

let test: TestApp;
let admin: TestClient;
beforeAll(async () => {
  test = await createTestApp();
  ({ client: admin } = await createAdmin(test));
});
afterAll(() => test.close());

const get = (url: string, client = admin) => client.request({ method: 'GET', url });

const everyPath = reportNames.flatMap((name) => [
  `/api/admin/reports/${name}`,
  `/api/admin/reports/${name}.csv`,
]);

describe('reports', () => {
  it('are for administrators only', async () => {
    const { client: member } = await createUser(test, 'sipho');
    for (const url of everyPath) {
      expect([url, (await get(url, test.createClient())).statusCode]).toEqual([url, 401]);
      expect([url, (await get(url, member)).statusCode]).toEqual([url, 404]);
    }
  });

  it.each(reportNames)('%s works without any data', async (name) => {
    const report = Report.parse((await get(`/api/admin/reports/${name}`)).json());
    expect(report).toMatchObject({ name, from: '2026-10-17', to: '2026-11-15' });
    for (const { cells } of report.rows) expect(cells).toHaveLength(report.columns.length);
    for (const figure of report.figures) expect(figure.definition).toMatch(/\.$/);
    const csv = await get(`/api/admin/reports/${name}.csv`);
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename=".*\.csv"/),
    });
    expect(csv.body.split('\r\n')).toHaveLength(report.rows.length + 2);
  });

  it.each([
    ['from=2026-11-10&to=2026-11-01', 'The start date is after the end date.'],
    ['from=2026-02-30&to=2026-11-01', 'Enter dates as YYYY-MM-DD.'],
    ['from=yesterday&to=today', 'Enter dates as YYYY-MM-DD.'],
    ['from=2026-11-01&to=2026-11-16', 'The end date can’t be in the future.'],
    ['from=1999-12-31&to=2000-01-05', 'The start date is before 1 January 2000.'],
    ['from=2023-01-01&to=2026-11-15', 'Choose a range of up to three years.'],
  ])('reject %s with an explanation', async (query, message) => {
    for (const path of ['plays', 'plays.csv']) {
      const response = await get(`/api/admin/reports/${path}?${query}`);
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({ code: 'validation_failed', message });
    }
  });

  it.each([
    '/api/admin/reports/secrets',
    '/api/admin/reports/plays?from=2026-11-01&from=2026-11-02',
    '/api/admin/reports/plays?order=1',
    '/api/admin/reports/plays.pdf',
  ])('reject %s', async (url) => {
    expect((await get(url)).statusCode).toBe(400);
  });

  it('respond with 404 for an unknown mix', async () => {
    expect((await get('/api/admin/reports/completion?track=gone')).statusCode).toBe(404);
  });
});

describe('the CSV', () => {
  const write = async (text: string) => {
    const columns = [{ key: 'a', label: 'A', kind: 'text' as const }];
    const parts = await streamCsv({ columns, rows: [{ cells: [text], href: null }] }).toArray();
    return parts.join('').replace('\uFEFF', '').split('\r\n').slice(1, -1).join('\r\n');
  };

  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+27 82', "'+27 82"],
    ['-x', "'-x"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ])('writes %j as %s', async (text, written) => {
    expect(await write(text)).toBe(written);
  });

  it('writes cents as amounts and leaves unknown values empty', async () => {
    const columns = [
      { key: 'a', label: 'A', kind: 'cents' as const },
      { key: 'b', label: 'B', kind: 'share' as const },
    ];
    const rows = [{ cells: [-123456, null], href: null }];
    const parts = await streamCsv({ columns, rows }).toArray();
    expect(parts.join('')).toBe('\uFEFFA,B\r\n-1234.56,\r\n');
  });
});

it.each([
  ['2026-11-03', '2026-11-20', null, 1],
  ['2026-11-01', '2026-11-30', '2026-11 to 2026-11', 0],
  ['2026-10-15', '2026-12-31', '2026-11 to 2026-12', 1],
  ['2026-10-15', '2026-12-15', '2026-11 to 2026-11', 2],
  ['2026-10-31', '2026-11-01', null, 1],
  ['2024-02-01', '2024-02-29', '2024-02 to 2024-02', 0],
])('%s to %s splits into whole months %s and %i ranges of days', (from, to, months, pieces) => {
  const cut = splitIntoMonths({ from, to });
  expect(cut.months && `${cut.months.from} to ${cut.months.to}`).toBe(months);
  expect(cut.days).toHaveLength(pieces);
});
