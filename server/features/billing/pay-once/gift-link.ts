import { decryptText, encryptText } from '../../../db/secrets.ts';
import type { Deps } from '../../../deps.ts';
import { newToken } from '../../../http/tokens.ts';
import type { GiftRow } from './redeem-gift.ts';

/** What encrypts the links of bought gifts, which their buyers can see again. */
const PURPOSE = 'gift-links';

export async function createLink({ database }: Deps): Promise<{ token: string; stored: string }> {
  const token = newToken();
  return { token, stored: await encryptText(database.db, PURPOSE, token) };
}

export const readGiftUrl = async (
  { database, site }: Deps,
  { token }: Pick<GiftRow, 'token'>,
): Promise<string> => `${site.origin}/gift/${await decryptText(database.db, PURPOSE, token ?? '')}`;
