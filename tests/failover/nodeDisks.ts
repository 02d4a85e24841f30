import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { NODES } from '../cluster/settings.ts'
import { mountImage } from '../support/faults/disks.ts'

/** PostgreSQL keeps a gigabyte of WAL by default, so the disk needs more. */
const MEGABYTES = 2_048

/** Gives each node its own disk below `folder`, so that one can be full. Returns a function that unmounts them. */
export function mountDisks(folder: string): () => void {
  const mounted: string[] = []
  const unmount = () => {
    for (const place of mounted.splice(0)) execFileSync('umount', [place])
  }
  for (const { name } of NODES) {
    const place = join(folder, name)
    mkdirSync(place, { recursive: true })
    if (!mountImage(join(folder, `${name}.disk`), place, MEGABYTES)) {
      unmount()
      throw new Error('A disk cannot be mounted here: npm run test:failover has to be root.')
    }
    mounted.push(place)
    // PostgreSQL needs an empty data folder that other users cannot read.
    rmSync(join(place, 'lost+found'), { recursive: true })
    chmodSync(place, 0o700)
  }
  return unmount
}
