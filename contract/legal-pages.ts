export const LEGAL_PAGES = ['terms', 'privacy', 'refunds', 'contact', 'copyright'] as const;
export type LegalPageName = (typeof LEGAL_PAGES)[number];

export const legalTitles: Record<LegalPageName, string> = {
  terms: 'Terms',
  privacy: 'Privacy Policy',
  refunds: 'Refund Policy',
  contact: 'Contact',
  copyright: 'Copyright complaints',
};
