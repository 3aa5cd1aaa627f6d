/** What a browser says about its line, if anything: `navigator.connection`. Safari and Firefox don’t. */
export type Connection = {
  /** Phones say it: `wifi`, `cellular`; computers don’t. */
  readonly type?: string | undefined;
  /** The user asked the browser to use less data. */
  readonly saveData?: boolean | undefined;
  /** How fast the line is, as if it were one of mobile networks: `4g`, `2g`. */
  readonly effectiveType?: string | undefined;
};

/** What browsers say about their line and their device, in pages and in workers. */
export type DeviceNavigator = {
  readonly userAgent: string;
  readonly maxTouchPoints?: number;
  readonly connection?: (Connection & Partial<EventTarget>) | undefined;
  readonly userAgentData?: { readonly mobile?: boolean } | undefined;
};

/** The line is mobile or slow, or the user asked the browser to use less data. */
export const shouldSaveData = (connection: Connection | undefined): boolean =>
  connection !== undefined &&
  (connection.type === 'cellular' ||
    connection.saveData === true ||
    connection.effectiveType?.endsWith('2g') === true);
