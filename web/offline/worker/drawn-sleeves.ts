import { drawSleeveFile } from '#contract/art/cover-art.ts';

/** Only the server knows what to say about a name that isn't a sleeve's. */
export async function respondWithSleeve(request: Request, path: string): Promise<Response> {
  const drawing = drawSleeveFile(path);
  if (drawing === undefined) return fetch(request);
  return new Response(drawing, { headers: { 'content-type': 'image/svg+xml' } });
}
