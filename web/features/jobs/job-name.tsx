/** Names that say more than the words of the id. */
const NAMES: Record<string, string> = {
  'update-charts': 'Update Top 20',
  'ingest-track': 'Process audio',
  'sweep-expired': 'Clean up expired data',
  'sweep-uploaded-files': 'Clean up uploads',
};

/** `announce-releases` becomes "Announce releases". */
export function formatJobName(id: string): string {
  const words = id.replaceAll('-', ' ');
  return NAMES[id] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

export function JobName({ name }: { name: string }) {
  return (
    <p className="font-medium">
      {formatJobName(name)} <span className="text-13 font-normal text-text-3">{name}</span>
    </p>
  );
}
