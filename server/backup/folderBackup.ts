import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { lockDataDir } from '../db/dataDirLock.ts'
import { DeskError } from '../desk/Desk.ts'
import type { Log } from '../log.ts'

/**
 * Copies DATA_DIR of the embedded engine: database, uploads, unsent mail and secrets. Only a database that nobody has open is whole
 * on the disk, so it takes the folder's lock meanwhile.
 * @throws DataDirLocked while a server runs, DeskError when `target` is there
 */
export async function saveFolder(dataDir: string, target: string, log: Log): Promise<void> {
  if (!existsSync(dataDir)) throw new DeskError(`${dataDir} is not there.`)
  const release = lockDataDir(dataDir, log)
  try {
    await copyFolder(dataDir, target)
  } finally {
    release()
  }
}

/** Puts such a copy where DATA_DIR is. @throws DeskError when there is something already */
export async function restoreFolder(source: string, dataDir: string): Promise<void> {
  if (!existsSync(source)) throw new DeskError(`${source} is not there.`)
  await copyFolder(source, dataDir)
}

/** Under another name until it is whole: a copy that was broken off is never taken for one. */
async function copyFolder(source: string, target: string): Promise<void> {
  if (existsSync(target) && (await readdir(target)).length > 0) throw new DeskError(`${target} is there already.`)
  const draft = `${resolve(target)}.partial`
  await rm(draft, { recursive: true, force: true })
  await mkdir(dirname(target), { recursive: true })
  await cp(source, draft, { recursive: true, filter: (path) => !basename(path).startsWith('server.lock') })
  await rename(draft, target)
}
