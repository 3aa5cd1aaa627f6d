import type { Attachment } from 'postal-mime';
import { isAddressRefused, parseAnswer, toReason } from '../../ports/mail/find-mail-problem.ts';
import { listMessageIds } from '../../ports/mail/message-ids.ts';

/**
 * `permanent`: nothing will ever arrive at the address. `temporary`: this mail didn’t, or not yet.
 * `complaint`: its reader called it spam.
 */
export const REPORT_KINDS = ['permanent', 'temporary', 'complaint'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** What a report says about one recipient. Nothing of it is proven: anybody can write one. */
export type ReportedMail = {
  /** Null if the mail arrived. */
  kind: ReportKind | null;
  /** Whom the mail may have been for. */
  addresses: string[];
  /** Of mails that came back with the report. */
  messageIds: string[];
  reason: string;
};

/** Names are lower case; a field that is there twice keeps its first value. */
type Fields = Map<string, string>;

/** Patterns are only tried on short texts: nobody can keep one busy with a long field. */
const MAX_FIELD = 1_000;

function parseFields(text: string): Fields {
  const fields: Fields = new Map();
  for (const line of text.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name, value] = /^([\w-]+):(.*)$/.exec(line.slice(0, MAX_FIELD)) ?? [];
    const key = name?.toLowerCase();
    if (key !== undefined && !fields.has(key)) fields.set(key, value?.trim() ?? '');
  }
  return fields;
}

const toText = ({ content }: Attachment): string =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);

/** RFC 3461: `+2B` is a plus. Few write it so, and then the address itself has none. */
const decodeXtext = (text: string): string =>
  text.replaceAll(/\+([0-9A-F]{2})/g, (_code, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

/** `rfc822; <thandi@example.com>`, `Thandi <thandi@example.com>`. */
function listAddresses(value: string | undefined): string[] {
  if (value === undefined) return [];
  const text = value.replace(/^\s*[\w-]+\s*;/, '');
  const found = text.match(/(?<![^\s<>,;:"()])[^\s<>,;:"()@]{1,255}@[^\s<>,;:"()]{1,255}/g) ?? [];
  return found.flatMap((address) => [address, decodeXtext(address)]);
}

function judge(fields: Fields): Pick<ReportedMail, 'kind' | 'reason'> {
  const action = fields.get('action')?.toLowerCase();
  const [status = '', diagnostic = ''] = [fields.get('status'), fields.get('diagnostic-code')];
  const said = parseAnswer(diagnostic === '' ? status : diagnostic);
  const answer = { ...said, status: said.status ?? parseAnswer(status).status };
  const reason = toReason(diagnostic.replace(/^[\w-]+\s*;\s*/, '') || `Status ${status}`);
  if (action !== 'failed') return { kind: action === 'delayed' ? 'temporary' : null, reason };
  return { kind: isAddressRefused(answer, true) ? 'permanent' : 'temporary', reason };
}

/** Ours are to one person each. A report with more is somebody else’s, or hostile. */
const MAX_RECIPIENTS = 20;

/** A delivery report (RFC 3464): after the fields about the mail, a group for each recipient. */
const parseDeliveryStatus = (text: string) =>
  text
    .split(/\r?\n(?:[ \t]*\r?\n)+/)
    .map(parseFields)
    .filter((fields) => fields.has('final-recipient') || fields.has('original-recipient'))
    .slice(0, MAX_RECIPIENTS)
    .map((fields) => ({
      ...judge(fields),
      addresses: ['original-recipient', 'final-recipient'].flatMap((name) =>
        listAddresses(fields.get(name)),
      ),
    }));

/** A reader’s complaint (RFC 5965); most say nothing about who it was. */
function parseFeedback(text: string) {
  const fields = parseFields(text);
  const type = fields.get('feedback-type')?.toLowerCase() ?? '';
  if (!['abuse', 'fraud', 'other', 'opt-out'].includes(type)) return [];
  const reason = toReason(`Reported as spam (${type})`);
  const addresses = ['original-rcpt-to', 'removal-recipient'].flatMap((name) =>
    listAddresses(fields.get(name)),
  );
  return [{ kind: 'complaint' as const, addresses, reason }];
}

const isReturned = ({ mimeType }: Attachment): boolean =>
  ['message/rfc822', 'message/global', 'text/rfc822-headers', 'message/rfc822-headers'].includes(
    mimeType.toLowerCase(),
  );

/** What a mail reports about mails that we may have sent; nothing if it is no report. */
export async function parseReport(raw: Uint8Array): Promise<ReportedMail[]> {
  const { default: PostalMime } = await import('postal-mime');
  const { attachments, text = '' } = await PostalMime.parse(raw);
  const ofType = (type: string) =>
    attachments.filter(({ mimeType }) => mimeType.toLowerCase() === type).map(toText);
  const reported = [
    ...ofType('message/delivery-status').flatMap(parseDeliveryStatus),
    ...ofType('message/feedback-report').flatMap(parseFeedback),
  ];
  const returned = attachments.filter(isReturned).map(toText);
  const recipients = returned.flatMap((mail) => {
    const [head = ''] = mail.split(/\r?\n\r?\n/, 1);
    return listAddresses(parseFields(head).get('to'));
  });
  const messageIds = listMessageIds([...returned, text].join('\n'));
  return reported.slice(0, MAX_RECIPIENTS).map((report) => ({
    ...report,
    addresses: [...new Set([...report.addresses, ...recipients])].slice(0, MAX_RECIPIENTS),
    messageIds,
  }));
}
