/** Two spellings that count as one account: `Thandi`, `thandi` and `ＴＨＡＮＤＩ` give the same key. */
export const toAccountKey = (text: string): string => text.normalize('NFKC').toLowerCase();
