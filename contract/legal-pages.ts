export const LEGAL_PAGES = ['terms', 'privacy', 'refunds', 'contact'] as const;
export type LegalPageName = (typeof LEGAL_PAGES)[number];

export const legalTitles: Record<LegalPageName, string> = {
  terms: 'Terms',
  privacy: 'Privacy Policy',
  refunds: 'Refund Policy',
  contact: 'Contact',
};
