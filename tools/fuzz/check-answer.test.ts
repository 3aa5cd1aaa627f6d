import { describe, expect, it } from 'vitest';
import { findProblem } from './check-answer.ts';

const json = (status: number, value: unknown) => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
});

describe('an answer is a finding', () => {
  it.each([
    ['for a 500', json(500, { code: 'internal', message: 'Sorry.' })],
    ['without a code', json(404, { message: 'Not found.' })],
    ['without a sentence', json(404, { code: 'not_found', message: ' ' })],
    ['with a code of another status', json(400, { code: 'not_found', message: 'Not found.' })],
    ['with nothing in it', { status: 417, contentType: '', body: '' }],
    [
      'with a stack trace',
      json(400, { code: 'malformed_request', message: 'at run (/x/server/http/route.ts:1)' }),
    ],
  ])('%s', (_name, answer) => {
    expect(findProblem('GET', answer)).not.toBeNull();
  });

  it('but not if it says what is wrong, sheds load or succeeds', () => {
    expect(findProblem('GET', json(404, { code: 'not_found', message: 'Gone.' }))).toBeNull();
    expect(findProblem('GET', json(503, { code: 'unavailable', message: 'Busy.' }))).toBeNull();
    expect(findProblem('GET', json(200, {}))).toBeNull();
  });
});
