/** What mail servers send back, as they write it; `{id}` is the Message-ID of the mail, `{to}` its address. */
const report = (name: string, diagnostic: string, more: string[] = []) =>
  [
    'Return-Path: <>',
    `From: Mail Delivery System <mailer-daemon@${name}>`,
    'To: music@example.com',
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b1"',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--b1',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'Your message could not be delivered to one or more recipients.',
    '',
    '--b1',
    'Content-Description: Delivery report',
    'Content-Type: message/delivery-status',
    '',
    `Reporting-MTA: dns; ${name}`,
    'Arrival-Date: Sun, 15 Nov 2026 12:00:00 +0000 (UTC)',
    '',
    ...diagnostic.split('\n'),
    '',
    '--b1',
    ...more,
    '',
    'From: Music <music@example.com>',
    'To: {to}',
    'Subject: Week 46: Golden Hour',
    'Message-ID: {id}',
    '',
    '--b1--',
    '',
  ].join('\r\n');

const HEADERS = [
  'Content-Description: Undelivered Message Headers',
  'Content-Type: text/rfc822-headers',
];
const WHOLE = ['Content-Description: Undelivered Message', 'Content-Type: message/rfc822'];

export const returnedMails = {
  /** Postfix, with the whole mail. */
  unknownUser: report(
    'mx.example.net',
    `Final-Recipient: rfc822; {to}
Original-Recipient: rfc822;{to}
Action: failed
Status: 5.1.1
Remote-MTA: dns; mail.example.org
Diagnostic-Code: smtp; 550 5.1.1 <{to}>: Recipient address rejected: User
    unknown in virtual mailbox table`,
    WHOLE,
  ),
  /** Exim and Exchange say little; the address is the one to which it was forwarded. */
  forwarded: report(
    'mx.example.net',
    `Action: failed
Final-Recipient: rfc822;someone.else@elsewhere.example
Status: 5.1.10
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found`,
    HEADERS,
  ),
  full: report(
    'mx.example.net',
    `Final-Recipient: rfc822; {to}
Action: failed
Status: 5.2.2
Diagnostic-Code: smtp; 552 5.2.2 Mailbox full`,
    HEADERS,
  ),
  delayed: report(
    'mx.example.net',
    `Final-Recipient: rfc822; {to}
Action: delayed
Status: 4.4.1
Diagnostic-Code: smtp; connect to mail.example.org: Connection timed out`,
    HEADERS,
  ),
  blocked: report(
    'mx.example.net',
    `Final-Recipient: rfc822; {to}
Action: failed
Status: 5.7.1
Diagnostic-Code: smtp; 550 5.7.1 Message rejected as spam`,
    HEADERS,
  ),
  delivered: report(
    'mx.example.net',
    `Final-Recipient: rfc822; {to}
Action: delivered
Status: 2.0.0`,
    HEADERS,
  ),
  /** RFC 5965. */
  complaint: report('feedback.example.net', '', WHOLE)
    .replace('report-type=delivery-status', 'report-type=feedback-report')
    .replace('message/delivery-status', 'message/feedback-report')
    .replace(
      /Reporting-MTA[^]*?\r\n\r\n/,
      'Feedback-Type: abuse\r\nUser-Agent: SomeGenerator/1.0\r\nVersion: 1\r\n',
    ),
  absence: [
    'From: Thandi <{to}>',
    'To: music@example.com',
    'Subject: Out of office',
    'In-Reply-To: {id}',
    'Auto-Submitted: auto-replied',
    '',
    'I am on the beach. Status: 5.1.1',
    '',
  ].join('\r\n'),
} as const;

export const fillReturned = (
  mail: keyof typeof returnedMails,
  { id, to }: { id: string; to: string },
): string => returnedMails[mail].replaceAll('{id}', id).replaceAll('{to}', to);
