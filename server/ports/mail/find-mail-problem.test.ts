import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '#contract/rules/time.ts';
import { findMailProblem, parseWait } from './find-mail-problem.ts';

const refuse = (command: string, response: string) =>
  findMailProblem(Object.assign(new Error(response), { command, response }));

describe('a server over its limit', () => {
  it.each([
    ['RCPT TO', '421 4.7.0 Too many messages. Try again in 5 minutes', 5 * MINUTE],
    ['RCPT TO', '450 4.7.1 Error: too much mail from 198.51.100.7', null],
    ['MAIL FROM', '451 4.7.1 Ratelimit exceeded, retry after 300 seconds', 300 * SECOND],
    ['DATA', '452 4.3.1 Hourly limit reached', null],
    ['DATA', '454 Throttling failure: Maximum sending rate exceeded.', null],
    ['DATA', '454 Throttling failure: Daily message quota exceeded.', null],
    ['RCPT TO', '550 5.4.5 Daily user sending quota exceeded. 1a2b - gsmtp', null],
    [
      'RCPT TO',
      '550 Domain music.example has exceeded the max emails per hour (300/300 (100%)) allowed. Message will be reattempted later',
      null,
    ],
    ['RCPT TO', '421 Service not available, sending rate is too high: rate limit, wait 1h', HOUR],
    ['CONN', '421 4.7.0 Too many connections from your host', null],
    ['MAIL FROM', '432 4.3.2 Concurrent connections limit exceeded', null],
    ['RCPT TO', '451 You have sent more than 250 messages in an hour', null],
  ])('says so at %s: %s', (command, response, retryAfterMs) => {
    expect(refuse(command, response)).toEqual({ kind: 'over-limit', retryAfterMs });
  });
});

it.each([
  ['Try again in 10 min', 10 * MINUTE],
  ['please come back in 00:04:59', 4 * MINUTE + 59 * SECOND],
  ['retry in 04:30', 4 * MINUTE + 30 * SECOND],
  ['Retry-After: 90', 90 * SECOND],
  ['wait 2 days', 2 * DAY],
  ['try again later', null],
  ['limit is 300', null],
])('reads how long to wait: %s', (text, ms) => {
  expect(parseWait(text)).toBe(ms);
});

describe('an address', () => {
  it.each([
    ['RCPT TO', '550 5.1.1 <thandi@example.com>: user unknown'],
    ['RCPT TO', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found'],
    ['RCPT TO', '550 5.2.1 The email account that you tried to reach is disabled.'],
    ['RCPT TO', '550 5.4.1 Recipient address rejected: Access denied.'],
    ['RCPT TO', '550 No such user here'],
    ['RCPT TO', '550 Requested action not taken: mailbox unavailable'],
    ['RCPT TO', '550 refused'],
    ['RCPT TO', '553 sorry'],
    ['RCPT TO', '556 5.1.10 Domain has null MX'],
    ['RCPT TO', '554 5.1.2 domain not found'],
    ['DATA', "554 delivery error: dd This user doesn't have a yahoo.com account"],
  ])('is refused for good at %s: %s', (command, response) => {
    expect(refuse(command, response)).toEqual({ kind: 'address-refused', reason: response });
  });

  it.each([
    ['RCPT TO', '450 4.2.0 <thandi@example.com>: Recipient address rejected: Greylisted'],
    ['RCPT TO', '451 4.7.1 Greylisting in action, please come back in 00:04:59'],
    ['RCPT TO', '452 4.2.2 The email account that you tried to reach is over quota.'],
    ['RCPT TO', '552 5.2.2 Mailbox full, quota exceeded'],
    ['RCPT TO', '550-5.2.1 The user you are trying to contact is receiving mail at a rate that'],
    ['RCPT TO', '450 4.2.1 Too many messages for this recipient'],
    ['DATA', '452 4.3.1 Insufficient system storage'],
    ['RCPT TO', '550 5.7.1 Relaying denied'],
    ['RCPT TO', '550 relay not permitted'],
    ['RCPT TO', '530 5.7.0 Authentication required'],
    ['RCPT TO', '550 5.7.1 Message blocked: 198.51.100.7 is on a blocklist'],
    ['RCPT TO', '554 5.7.1 Service unavailable; Client host blocked using zen.spamhaus.org'],
    ['RCPT TO', '550 5.1.8 Access denied, bad outbound sender'],
    ['DATA', '550 5.7.26 Unauthenticated email is not accepted due to DMARC policy'],
    ['DATA', '554 Message rejected as spam'],
    ['DATA', '550 no'],
    ['DATA', '451 4.3.0 Temporary failure'],
  ])('is not to blame at %s: %s', (command, response) => {
    expect(refuse(command, response)).toEqual({ kind: 'mail' });
  });
});

describe('a server that takes nothing from us', () => {
  it.each([
    ['AUTH PLAIN', '535 5.7.8 Authentication failed'],
    ['MAIL FROM', '553 5.7.1 Sender address rejected: not owned by user'],
    ['EHLO', '421 Service not available, closing transmission channel'],
    ['DATA', '421 4.3.2 Shutting down'],
  ])('is not about the mail: %s, %s', (command, response) => {
    expect(refuse(command, response)).toEqual({ kind: 'unavailable' });
  });

  it('or says nothing at all', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED'), { command: 'CONN' });
    expect(findMailProblem(error)).toEqual({ kind: 'unavailable' });
    expect(findMailProblem(new Error('The database is gone.'))).toEqual({ kind: 'mail' });
    expect(findMailProblem('oops')).toEqual({ kind: 'mail' });
  });
});
