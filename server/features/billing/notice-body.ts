/** What tells one card from another or can charge it again: nobody needs it to know what was told. */
const CARD_FIELDS = ['authorization_code', 'bin', 'signature', 'fingerprint', 'account_name'];
const HIDDEN = '[card]';
const mentionsCard = new RegExp(`"(?:${CARD_FIELDS.join('|')})"\\s*:`);

/** A webhook as it is kept for whoever looks into it: as it came, without what belongs to a card. */
export function keepableBody(rawBody: Buffer): string {
  // PostgreSQL keeps no NUL in a text.
  const text = rawBody.toString('utf8').replaceAll('\0', '');
  if (!mentionsCard.test(text)) return text;
  return JSON.stringify(JSON.parse(text), (key, value: unknown) =>
    CARD_FIELDS.includes(key) && value !== null ? HIDDEN : value,
  );
}
