import type { SettingName } from '#contract/admin/settings.ts';

export type SettingGroup = { title: string; lead?: string; fields: readonly SettingName[] };

/** Which page has which settings. Each setting is on one of them. */
export const settingPages = {
  look: [
    { title: 'Name and logo', fields: ['siteName', 'sentence', 'logo', 'icon', 'senderName'] },
    { title: 'Landing page', fields: ['headline', 'lead'] },
    { title: 'About you', fields: ['picture', 'aboutText', 'links', 'isAboutPublic'] },
    { title: 'Sleeves and seasons', fields: ['sleeveFamily', 'hemisphere'] },
  ],
  releases: [
    {
      title: 'Releases',
      fields: ['releaseDay', 'releaseHour', 'earlyAccessHours', 'isNextAnnounced'],
    },
    { title: 'Clips', fields: ['clipSeconds'] },
    { title: 'E-mail', fields: ['mailsPerHour'] },
  ],
  mails: [{ title: 'Words', fields: ['greeting', 'releaseIntro', 'releaseEnd', 'premiumWelcome'] }],
  moments: [{ title: 'For the whole site', fields: ['areMomentsOn', 'forbiddenWords'] }],
  prices: [
    { title: 'New subscriptions', fields: ['monthlyPrice', 'annualPrice'] },
    { title: 'First and last days', fields: ['trialDays', 'coolingOffDays', 'continueMonthly'] },
    { title: 'What Premium includes', fields: ['streamsPerAccount'] },
    { title: 'Mobile data', fields: ['dataPrice'] },
  ],
  renewals: [{ title: 'Renewals', fields: ['areRenewalsOn', 'chargesPerHour', 'graceDays'] }],
  seller: [
    {
      title: 'Seller',
      fields: [
        'sellerName',
        'sellerStatus',
        'sellerAddress',
        'sellerRegistration',
        'sellerPhone',
        'sellerEmail',
      ],
    },
    { title: 'VAT', fields: ['isVatCharged', 'sellerVatNumber', 'vatRates'] },
  ],
  books: [
    {
      title: 'Periods and accounts',
      fields: ['vatCategory', 'yearEndMonth', 'salesAccount', 'vatRateName'],
    },
  ],
  system: [{ title: 'Time and privacy', fields: ['timeZone', 'eventsDays'] }],
} as const satisfies Record<string, readonly SettingGroup[]>;

export type SettingPage = keyof typeof settingPages;

export const listGroups = (page: SettingPage): readonly SettingGroup[] => settingPages[page];

export const listFields = (page: SettingPage): SettingName[] =>
  listGroups(page).flatMap(({ fields }) => fields);
