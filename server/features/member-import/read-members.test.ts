import { describe, expect, it } from 'vitest';
import { MAX_IMPORT_LINES } from '#contract/admin/member-imports.ts';
import { readMembers, type ReadOptions } from './read-members.ts';

const read = (text: string | Uint8Array, options: Partial<ReadOptions> = {}) =>
  readMembers(typeof text === 'string' ? Buffer.from(text) : text, { timeZone: 'UTC', ...options });

const at = (text: string) => Date.parse(text);

/** As the three services write their exports. */
const GHOST = `id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers
m1,supporter@example.com,Grace Hopper,"VIP, early backer",true,true,cus_1,2024-01-15T10:00:00.000Z,,"One, Two",
m2,reader@example.com,Katherine Johnson,,true,false,,2024-02-01T12:30:00.000Z,,,
m3,quiet@example.com,,,false,false,cus_2,2024-02-10T08:00:00.000Z,,,Gold
m4,gone@example.com,Mary Jackson,,false,false,,2024-02-10T08:00:00.000Z,2024-05-01T00:00:00.000Z,,
`;
const PATREON = `Name,Email,Discord,Patron Status,Follows You,Free Member,Free Trial,Lifetime Amount,Pledge Amount,Charge Frequency,Tier,Addressee,Street,City,State,Zip,Country,Phone,Patronage Since Date,Last Charge Date,Last Charge Status,Additional Details,User ID,Last Updated,Currency,Max Posts,Access Expiration,Next Charge Date,Full country name,Subscription Source
Thandi Nkosi,thandi@example.com,,Active patron,No,No,No,29.90,2.99,monthly,Gold,,,,,,,,2026-08-10 13:37:12,2026-11-01 00:00:14,Paid,,1,2026-11-10 15:52:24,USD,,,2026-12-01 00:00:00,,Patreon
Sipho,sipho@example.com,,Declined patron,No,No,No,0.00,2.99,monthly,Gold,,,,,,,,2026-08-10 13:37:12,2026-11-01 00:00:14,Declined,,2,2026-11-10 15:52:24,USD,,,2026-12-01 00:00:00,,Patreon
Lerato,lerato@example.com,,Former patron,No,No,No,9.00,0.00,monthly,,,,,,,,,2026-08-10 13:37:12,2026-11-01 00:00:14,Paid,,3,2026-11-10 15:52:24,USD,,2026-11-28 09:30:00,,,Patreon
`;
const MAILCHIMP = `"Email Address","First Name","Last Name",MEMBER_RATING,OPTIN_TIME,OPTIN_IP,UNSUB_TIME,UNSUB_CAMPAIGN_TITLE,CLEAN_TIME,LEID,EUID,NOTES,TAGS
a@example.com,Zola,Budd,2,"2013-06-25 17:38:27",,,,,448,c2c,,"""VIP"",""Old"""
b@example.com,Lucas,,2,,,"2024-01-02 10:00:00",News,,449,c2d,,
c@example.com,,,2,,,,,"2024-01-02 10:00:00",450,c2e,,
`;

describe('an export', () => {
  it('of Ghost tells who pays, but not until when', async () => {
    const file = await read(GHOST);
    expect([file.source, file.payingWithoutDate]).toEqual(['ghost', 2]);
    expect(file.lines.map(({ paidUntil }) => paidUntil)).toEqual([null, null, null, null]);
    const until = at('2027-01-01T00:00:00Z');
    const { lines } = await read(GHOST, { payingUntil: until });
    expect(lines).toMatchObject([
      { line: 2, email: 'supporter@example.com', name: 'Grace Hopper', paidUntil: until },
      { email: 'reader@example.com', paidUntil: null, isUnsubscribed: false },
      { email: 'quiet@example.com', paidUntil: until, isUnsubscribed: true },
      { email: 'gone@example.com', outcome: 'left-out' },
    ]);
  });

  it('of Patreon gives time to those who pay, and to those who cancelled until it ends', async () => {
    const { source, lines } = await read(PATREON);
    expect(source).toBe('patreon');
    expect(lines).toMatchObject([
      { name: 'Thandi Nkosi', paidUntil: at('2026-12-01T00:00:00Z') },
      { name: 'Sipho', paidUntil: null },
      { name: 'Lerato', paidUntil: at('2026-11-28T09:30:00Z') },
    ]);
  });

  it('of Mailchimp keeps unsubscribed people quiet and leaves out bounced addresses', async () => {
    const { source, lines } = await read(MAILCHIMP);
    expect(source).toBe('mailchimp');
    expect(lines).toMatchObject([
      { name: 'Zola Budd', isUnsubscribed: false, outcome: null },
      { name: 'Lucas', isUnsubscribed: true, outcome: null },
      { outcome: 'left-out', note: expect.stringContaining('2024-01-02') as string },
    ]);
  });

  it('of anything else is read by the names of its columns, or by what an administrator chooses', async () => {
    const text = 'Who,Contact,Ends\nZola,zola@example.com,2027-05-03\n';
    const guessed = await read(text);
    expect(guessed.source).toBe('other');
    expect(guessed.columns.map(({ role }) => role)).toEqual(['ignore', 'email', 'ignore']);
    expect(guessed.columns[2]?.samples).toEqual(['2027-05-03']);
    const { lines } = await read(text, { roles: ['name', 'email', 'paid-until'] });
    // A day lasts until its end.
    expect(lines).toMatchObject([{ name: 'Zola', paidUntil: at('2027-05-03T23:59:59Z') }]);
    const named = await read('E-mail;Full name;Valid until\na@example.com;A;2027-05-03\n');
    expect(named.columns.map(({ role }) => role)).toEqual(['email', 'name', 'paid-until']);
    const bare = await read('a@example.com\nb@example.com\n');
    expect(bare.lines.map(({ line, email }) => [line, email])).toEqual([
      [1, 'a@example.com'],
      [2, 'b@example.com'],
    ]);
  });
});

describe('a file', () => {
  const TEXT =
    'email;name\r\nzoë@example.com;"Zoë; the ""first"""\r\n\r\n"x@example.com";"two\nlines"\r\n';
  const expected = [
    { line: 2, email: 'zoë@example.com', name: 'Zoë; the "first"' },
    { line: 4, email: 'x@example.com', name: 'two lines' },
  ];
  const zoe = { ...expected[0], outcome: 'invalid' };

  it.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a byte-order mark', Buffer.from(`\uFEFF${TEXT}`)],
    ['UTF-16', Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
    ['Windows-1252', Buffer.from(TEXT, 'latin1')],
    ['the first line of Excel', Buffer.from(`sep=;\r\n${TEXT}`)],
  ])('in %s, with semicolons and quotes, is read', async (what, bytes) => {
    const shift = what.includes('Excel') ? 1 : 0;
    const { lines } = await read(bytes);
    const wanted = [zoe, expected[1]].map((line) => ({ ...line, line: (line?.line ?? 0) + shift }));
    expect(lines).toMatchObject(wanted);
  });

  it('says what is wrong with a line, and which lines have the same address', async () => {
    const { lines } = await read(
      [
        'email,name,paid_until,release_mails',
        'a@example.com,A,2027-01-01T00:00:00Z,true',
        'not an address,B,,true',
        ',C,,true',
        'A@Example.com,D,2027-06-01T00:00:00Z,false',
        'b@example.com,E,31/31/2026,true',
        '\'=cmd@example.com,"\'=HYPERLINK(1)",,true',
      ].join('\n'),
    );
    expect(lines).toMatchObject([
      {
        outcome: null,
        paidUntil: at('2027-06-01T00:00:00Z'),
        isUnsubscribed: true,
        note: 'Its date is from line 5.',
      },
      { outcome: 'invalid', note: 'This isn’t an e-mail address.' },
      { outcome: 'invalid', note: 'There is no e-mail address.' },
      { outcome: 'duplicate', note: 'Same address as line 2.' },
      { outcome: 'invalid', note: '“31/31/2026” isn’t a date.' },
      { outcome: 'invalid', email: '=cmd@example.com', name: '=HYPERLINK(1)' },
    ]);
  });

  it('with dates that can mean two days asks, unless another line tells', async () => {
    const build = (...dates: string[]) =>
      ['email,paid until', ...dates.map((date, index) => `a${index}@example.com,${date}`)].join(
        '\n',
      );
    const days = async (text: string, options = {}) =>
      (await read(text, options)).lines.map(({ paidUntil }) =>
        new Date((paidUntil ?? 0) - 1).toISOString().slice(0, 10),
      );
    const unclear = build('03/04/2027');
    expect((await read(unclear)).dateOrder).toBe('day-first');
    expect(await days(unclear)).toEqual(['2027-04-03']);
    expect(await days(unclear, { dateOrder: 'month-first' })).toEqual(['2027-03-04']);
    const clear = build('03/04/2027', '03/14/2027');
    expect((await read(clear)).dateOrder).toBeNull();
    expect(await days(clear)).toEqual(['2027-03-04', '2027-03-14']);
    expect(await days(build('3.4.2027', '3 May 2027', '"May 4, 2027"'))).toEqual([
      '2027-04-03',
      '2027-05-03',
      '2027-05-04',
    ]);
  });

  it.each([
    ['', 'The file is empty.'],
    ['email,name\n', 'no members'],
    ['email,name\na@example.com,"never closed\nb@example.com,B\n', 'Line 2 has a quotation mark'],
    [`${'x,'.repeat(120)}x\n1\n`, 'Line 1 has more than 100 columns'],
    [`email,name\n${'"a""b",'.repeat(1_400_000)}`, 'Line 2 has more than 100 columns'],
    [`email\n${'a@example.com\n'.repeat(MAX_IMPORT_LINES + 1)}`, 'more than 50,000 members'],
  ])('that can’t be used is refused with a reason (%#)', async (text, reason) => {
    await expect(read(text)).rejects.toThrow(reason);
  });
});
