import { describe, expect, it } from 'vitest';
import { SharedAnswers } from './shared-answers.ts';

const answerOf = (length: number) => ({ answer: {}, bytes: Buffer.alloc(length) });

describe('answers that are kept for many', () => {
  it('stay within their limit, and the ones last asked for stay', () => {
    const answers = new SharedAnswers(20_000);
    answers.keep('/a', answerOf(4000));
    answers.keep('/b', answerOf(4000));
    answers.find('/a');
    answers.keep('/c', answerOf(4000));
    expect(['/a', '/b', '/c'].filter((url) => answers.find(url))).toEqual(['/a', '/c']);
  });

  it('don’t include one that is too long for the limit', () => {
    const answers = new SharedAnswers(20_000);
    answers.keep('/a', answerOf(20_000));
    expect(answers.find('/a')).toBeUndefined();
    answers.keep('/b', answerOf(9000));
    expect(answers.find('/b')).toBeDefined();
  });

  it('count each URL once, however often it is kept', () => {
    const answers = new SharedAnswers(20_000);
    answers.keep('/a', answerOf(4000));
    for (let count = 0; count < 10; count += 1) answers.keep('/b', answerOf(4000));
    expect(answers.find('/a')).toBeDefined();
  });

  it('are bounded in number, because URLs take memory too', () => {
    const answers = new SharedAnswers(20_000);
    for (let count = 0; count < 100; count += 1) answers.keep(`/${count}`, answerOf(0));
    const kept = Array.from({ length: 100 }, (_, count) => answers.find(`/${count}`));
    expect(kept.filter(Boolean).length).toBeLessThan(40);
  });
});
