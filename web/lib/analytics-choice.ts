const STORAGE_KEY = 'analytics-off';
const CHOICE_EVENT = 'analytics-choice';

/** Keeps the account's choice on this device, where it is known before anything is asked of the server. */
export function storeAnalyticsChoice(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, '1');
  } catch {
    // Without storage nothing is told at all.
  }
  window.dispatchEvent(new Event(CHOICE_EVENT));
}

/** Calls back when the choice may have changed, in this tab or another. */
export function watchAnalyticsChoice(listener: () => void): void {
  window.addEventListener(CHOICE_EVENT, listener);
  window.addEventListener('storage', ({ key }) => {
    if (key === STORAGE_KEY || key === null) listener();
  });
}

type Signals = { doNotTrack?: string | null; globalPrivacyControl?: boolean };

/** The browser itself asks not to be followed. */
export const isTrackingRefused = ({ doNotTrack, globalPrivacyControl }: Signals): boolean =>
  doNotTrack === '1' || doNotTrack === 'yes' || globalPrivacyControl === true;

/** Whether no statistics may leave this browser, by choice or because the browser asks for it. */
export function isAnalyticsOff(): boolean {
  if (isTrackingRefused(navigator)) return true;
  try {
    return localStorage.getItem(STORAGE_KEY) !== null;
  } catch {
    // Where a no could not be kept, nobody has said yes.
    return true;
  }
}
