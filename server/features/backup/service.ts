export { readBackupState, recordBackup, type BackupState } from './backup-state.ts';
