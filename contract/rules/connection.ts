/** What a browser says about its connection, if anything: `navigator.connection`. Safari and Firefox don’t. */
export type Connection = {
  /** Phones say it: `wifi`, `cellular`; computers don’t. */
  readonly type?: string | undefined;
  /** The user asked the browser to use less data. */
  readonly saveData?: boolean | undefined;
  /** How fast it is, in terms of mobile networks: `4g`, `2g`. */
  readonly effectiveType?: string | undefined;
};

/** What browsers say about their connection and their device, in pages and in workers. */
export type DeviceNavigator = {
  readonly userAgent: string;
  readonly maxTouchPoints?: number;
  readonly connection?: (Connection & Partial<EventTarget>) | undefined;
  readonly userAgentData?: { readonly mobile?: boolean } | undefined;
};

/** It is mobile or slow, or the user asked the browser to use less data. */
export const shouldSaveData = (connection: Connection | undefined): boolean =>
  connection !== undefined &&
  (connection.type === 'cellular' ||
    connection.saveData === true ||
    connection.effectiveType?.endsWith('2g') === true);

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
