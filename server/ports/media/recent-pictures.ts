/** Pictures that were drawn or converted. The most recently used ones stay in memory. */
export function keepRecentPictures(limit: number) {
  const pictures = new Map<string, Promise<Buffer | null>>();
  return function getPicture<T extends Buffer | null>(
    key: string,
    draw: () => Promise<T>,
  ): Promise<T> {
    const picture = (pictures.get(key) as Promise<T> | undefined) ?? draw();
    pictures.delete(key);
    pictures.set(key, picture);
    picture.catch(() => pictures.delete(key));
    const [oldest] = pictures.keys();
    if (pictures.size > limit && oldest !== undefined) pictures.delete(oldest);
    return picture;
  };
}
