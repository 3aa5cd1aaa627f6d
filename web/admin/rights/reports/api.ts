import { apiQuery, pagedQuery } from '#web/lib/api/api-query.ts';
import { buildPath, call, readError, request } from '#web/lib/api/api.ts';
import type { UsageReportForm } from '#contract/admin/usage-reports.ts';

export const REPORTS_PATH = '/api/admin/rights/reports';

export const reportsQuery = pagedQuery('GET /api/admin/rights/reports', { query: {} });

export const periodsQuery = apiQuery('GET /api/admin/rights/periods');

export const outlookQuery = (period: string) =>
  apiQuery('GET /api/admin/rights/outlook', { query: { period } });

export const reportQuery = (id: string) =>
  apiQuery('GET /api/admin/rights/reports/:id', { params: { id } });

export const makeReport = (body: UsageReportForm) =>
  call('POST /api/admin/rights/reports', { body });

export const makeAgain = (id: string) =>
  call('POST /api/admin/rights/reports/:id/again', { params: { id } });

type FileOfReport = { id: string; file: 'report' | 'changes' };

export const filePath = ({ id, file }: FileOfReport): string =>
  buildPath(`/api/admin/rights/reports/:id/${file}.csv`, { id });

/** Asks first: a link alone would save the server's refusal as the file. */
export async function saveReportFile(of: FileOfReport): Promise<void> {
  const path = filePath(of);
  const { ok } = await request(path, { method: 'HEAD' });
  if (!ok) {
    const answer = await request(path);
    if (!answer.ok) throw await readError('GET', path, answer);
  }
  Object.assign(document.createElement('a'), { href: path, download: '' }).click();
}
