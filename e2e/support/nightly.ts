/** The run of every night has time for what rarely breaks alone. */
export const isNightly = (): boolean => process.env.TEST_RUN === 'nightly';

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const DESKTOP = { viewport: { width: 1440, height: 900 }, hasTouch: false, isMobile: false };

/**
 * What a page does is the same at every size, so it is tested on a phone, and every night on a
 * desktop too. What depends on the size has tests for both.
 */
export const DEVICES = [
  { size: 'phone', options: PHONE },
  ...(isNightly() ? [{ size: 'desktop', options: DESKTOP }] : []),
];
