/** What makes two spellings one account: `Thandi`, `thandi` and `ＴＨＡＮＤＩ` are the same. */
export const toAccountKey = (text: string): string => text.normalize('NFKC').toLowerCase();
