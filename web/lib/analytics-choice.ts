const STORAGE_KEY = 'analytics-off';

/** Keeps the account's choice on this device, where it is known before anything is asked of the server. */
export function keepAnalyticsChoice(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, '1');
  } catch {
    // Without storage the account's own choice still holds, asked for anew at each visit.
  }
}

type Signals = { doNotTrack?: string | null; globalPrivacyControl?: boolean };

/** The browser itself asks not to be followed. */
export const asksNotToBeTracked = ({ doNotTrack, globalPrivacyControl }: Signals): boolean =>
  doNotTrack === '1' || doNotTrack === 'yes' || globalPrivacyControl === true;

/** Whether no statistics may leave this browser, by choice or because the browser asks for it. */
export function isAnalyticsOff(): boolean {
  if (asksNotToBeTracked(navigator)) return true;
  try {
    return localStorage.getItem(STORAGE_KEY) !== null;
  } catch {
    return false;
  }
}
