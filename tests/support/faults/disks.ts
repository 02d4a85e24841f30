import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  folder: string
  /** Leaves not a byte of room. */
  fill(): void
  /** Gives the room back. */
  free(): void
  remove(): void
}

/** A file system of its own, of `megabytes` in memory; nothing where this process may not mount. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder])
  if (mounted.status !== 0) {
    rmdirSync(folder)
    return undefined
  }
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill() {
      // Who else writes may take some of it between the two.
      for (let part = 0; room(folder) > 0; part++) takeRoom(`${ballast}-${part}`, room(folder))
    },
    free() {
      for (let part = 0; part < 100; part++) rmSync(`${ballast}-${part}`, { force: true })
    },
    remove() {
      spawnSync('umount', ['--lazy', folder])
      rmdirSync(folder)
    },
  }
}

function room(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

function takeRoom(path: string, bytes: number): void {
  try {
    writeFileSync(path, Buffer.alloc(bytes))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
