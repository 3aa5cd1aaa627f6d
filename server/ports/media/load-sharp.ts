/** Loads sharp on first use: it takes 20 MB of memory that most processes never need. */
export async function loadSharp() {
  const { default: sharp } = await import('sharp');
  // No picture is read twice.
  sharp.cache(false);
  // Else libvips starts threads of its own for each picture, one per core.
  sharp.concurrency(1);
  return sharp;
}
