import type { Connection, DeviceNavigator } from './line.ts';

/** Whether data on this connection costs by the megabyte. Nobody knows on a phone whose browser doesn’t say. */
export type Metering = 'metered' | 'unmetered' | 'unknown';

export function findMetering(connection: Connection | undefined, isPhone: boolean): Metering {
  const { type, saveData } = connection ?? {};
  if (saveData || type === 'cellular' || type === 'wimax' || type === 'bluetooth') return 'metered';
  if (type === 'wifi' || type === 'ethernet') return 'unmetered';
  // Computers don’t say how they are connected; it is hardly ever mobile.
  return isPhone ? 'unknown' : 'unmetered';
}

/** An iPad says that it is a Mac, but Macs have no touch screen. */
export const isPhone = ({ userAgent, userAgentData, maxTouchPoints = 0 }: DeviceNavigator) =>
  userAgentData?.mobile ??
  (/Android|iPhone|iPad|Mobi/.test(userAgent) ||
    (/Macintosh/.test(userAgent) && maxTouchPoints > 1));

export const readMetering = (device: DeviceNavigator): Metering =>
  findMetering(device.connection, isPhone(device));
