import type { Deps } from '../../deps.ts';
import type { MailSite } from './mail-layout.ts';

export { layOutMail, type MailBlock, type MailContent, type MailSite } from './mail-layout.ts';
export type { MailTrack } from './track-stage.ts';

/** What every mail says and shows of the site. */
export async function readMailSite({ config, site }: Deps): Promise<MailSite> {
  return {
    look: config.look,
    siteName: config.siteName,
    origin: site.origin,
    greeting: 'Hello {name},',
  };
}
