/** Whether all promises settle within the limit. */
export const settlesWithin = async (
  promises: readonly Promise<unknown>[],
  limitMs: number,
): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  try {
    return await Promise.race([Promise.allSettled(promises).then(() => true), limit]);
  } finally {
    clearTimeout(timer);
  }
};
