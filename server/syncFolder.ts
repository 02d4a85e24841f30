import { closeSync, fsyncSync, openSync } from 'node:fs'

/**
 * Waits until the names in a folder are on disk: after a power loss a file that was made, linked or renamed there keeps its name. The bytes of the
 * file are synced by writing it with `flush`.
 */
export function syncFolder(folder: string): void {
  // Windows cannot open folders, and stores names with the file.
  if (process.platform === 'win32') return
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
