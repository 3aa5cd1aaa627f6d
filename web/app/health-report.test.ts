import { expect, it } from 'vitest';
import { HealthStatus } from '#contract/system.ts';
import { overallStatus } from './health-report.ts';

it('a status is ok, degraded or error', () => {
  expect(HealthStatus.options).toEqual(['ok', 'degraded', 'error']);
});

it.each([
  [[], 'ok'],
  [['ok', 'ok'], 'ok'],
  [['ok', 'degraded', 'ok'], 'degraded'],
  [['degraded', 'error', 'ok'], 'error'],
  [['error', 'degraded'], 'error'],
] satisfies [HealthStatus[], HealthStatus][])(
  'components %j have the overall status %s',
  (parts, whole) => {
    expect(overallStatus(parts)).toBe(whole);
  },
);
