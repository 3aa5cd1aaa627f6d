/** Says what is wrong with a picture, in a sentence for whoever chose it. */
export class LookImageRefused extends Error {
  override name = 'LookImageRefused';
}
