const STORAGE_KEY = 'analytics-off';
const CHOICE_EVENT = 'analytics-choice';

/** Stores the account's choice on this device, so that it is known before the first request. */
export function storeAnalyticsChoice(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, '1');
  } catch {
    // Without storage nothing is sent at all.
  }
  window.dispatchEvent(new Event(CHOICE_EVENT));
}

/** Calls back when the choice may have changed, in this tab or another one. */
export function watchAnalyticsChoice(callback: () => void): void {
  window.addEventListener(CHOICE_EVENT, callback);
  window.addEventListener('storage', ({ key }) => {
    if (key === STORAGE_KEY || key === null) callback();
  });
}

type Signals = { doNotTrack?: string | null; globalPrivacyControl?: boolean };

/** Whether the browser asks sites not to track. */
export const isTrackingRefused = ({ doNotTrack, globalPrivacyControl }: Signals): boolean =>
  doNotTrack === '1' || doNotTrack === 'yes' || globalPrivacyControl === true;

/** Whether the user opted out, or the browser asks sites not to track. */
export function isAnalyticsOff(): boolean {
  if (isTrackingRefused(navigator)) return true;
  try {
    return localStorage.getItem(STORAGE_KEY) !== null;
  } catch {
    // If an opt-out couldn't be stored, assume there is one.
    return true;
  }
}
