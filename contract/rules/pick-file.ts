type TrackFiles = { fileUrl: string; dataSaverUrl: string | null };

/** The file to play or to save: the small one, if data is to be saved and there is one. */
export const pickFile = ({ fileUrl, dataSaverUrl }: TrackFiles, isDataSaver: boolean) =>
  isDataSaver && dataSaverUrl !== null
    ? ({ name: 'dataSaver', url: dataSaverUrl } as const)
    : ({ name: 'stream', url: fileUrl } as const);

/** Whether this is the address of a small file. */
export const isSmallFile = (url: string): boolean => url.includes('/dataSaver');
