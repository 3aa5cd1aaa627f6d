/** The accounts that everyone who tries a demo shares; their password is published. */
export const DEMO_ACCOUNTS = { free: 'demo-free', premium: 'demo-premium', admin: 'demo-admin' };

export const DEMO_ACCOUNT_IDS: readonly string[] = Object.values(DEMO_ACCOUNTS);

export const isDemoAccount = (userId: string): boolean => DEMO_ACCOUNT_IDS.includes(userId);
