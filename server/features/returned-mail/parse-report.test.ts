import { expect, it } from 'vitest';
import { parseReport } from './parse-report.ts';
import { fillReturned } from './returned-samples.ts';

const sample = fillReturned('unknownUser', {
  id: `<${'a'.repeat(32)}.${'b'.repeat(32)}@example.com>`,
  to: 'thandi@example.com',
});
const parse = (raw: string) => parseReport(Buffer.from(raw));

it('names whom a mail was for, as sent and as written in RFC 3461', async () => {
  const raw = sample.replace('rfc822;thandi@example.com', 'rfc822;thandi+2Bmixes@example.com');
  const [report] = await parse(raw);
  expect(report?.addresses).toEqual([
    'thandi+2Bmixes@example.com',
    'thandi+mixes@example.com',
    'thandi@example.com',
  ]);
});

/** A pattern that tries every part of such a field takes minutes, and anybody can send one. */
it.each([
  ['letters', 'a'.repeat(200_000)],
  ['at signs', 'a@'.repeat(100_000)],
  ['spaces', `${' '.repeat(200_000)}x\ry`],
  ['separators', 'a;'.repeat(100_000)],
])('is soon finished with a field of very many %s', { timeout: 5_000 }, async (_what, field) => {
  const raw = sample
    .replace('rfc822; thandi@example.com', `rfc822; ${field}`)
    .replace('Diagnostic-Code: smtp; 550 5.1.1 ', `Diagnostic-Code: smtp; 550 5.1.1 ${field}`)
    .replace('To: thandi@example.com', `To: ${field}`);
  const [report, ...others] = await parse(raw);
  expect(others).toEqual([]);
  expect(report?.kind).toBe('permanent');
  expect(report?.addresses[0]).toBe('thandi@example.com');
});

it('looks only at the first recipients of a report that names very many', async () => {
  const group = '\r\n\r\nFinal-Recipient: rfc822; x@example.com\r\nAction: failed';
  const raw = sample.replace(
    '\r\n\r\nFinal-Recipient',
    `${group.repeat(500)}\r\n\r\nFinal-Recipient`,
  );
  expect(await parse(raw)).toHaveLength(20);
});
