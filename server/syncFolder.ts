import { closeSync, fsyncSync, openSync } from 'node:fs'

/**
 * Waits until the disk has the names in a folder: after a loss of power a file that was made, linked or renamed there keeps its
 * name. Its bytes are written with `flush`.
 */
export function syncFolder(folder: string): void {
  // Windows opens no folders, and keeps names with the file.
  if (process.platform === 'win32') return
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
