import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmdirSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export type SmallDisk = NonNullable<ReturnType<typeof smallDisk>>

/** A file system of its own, of `megabytes` in memory; nothing where this process may not mount. */
export function smallDisk(megabytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder])
  if (mounted.status !== 0) {
    rmdirSync(folder)
    return undefined
  }
  return {
    folder,
    ...ballastOn(folder),
    remove() {
      spawnSync('umount', ['--lazy', folder])
      rmdirSync(folder)
    },
  }
}

/** What fills the disk that `folder` is the top of. */
export function ballastOn(folder: string) {
  const ballast = join(folder, 'ballast')
  return {
    /** Leaves not a byte of room. */
    fill() {
      // Who else writes may take some of it between the two.
      for (let part = 0; room(folder) > 0; part++) takeRoom(`${ballast}-${part}`, room(folder))
    },
    /** Gives the room back. */
    free() {
      for (let part = 0; part < 100; part++) rmSync(`${ballast}-${part}`, { force: true })
    },
  }
}

function room(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

function takeRoom(path: string, bytes: number): void {
  // Without writing all of it. Where that fails it may have taken some.
  if (spawnSync('fallocate', ['--length', String(bytes), path]).status === 0) return
  try {
    appendFileSync(path, Buffer.alloc(room(dirname(path))))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

export type CuttableDisk = NonNullable<ReturnType<typeof cuttableDisk>>

const MEGABYTES = 512

// EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH, made for such tests (fs/ext4/ioctl.c). Node has no ioctl.
const SHUTDOWN = `import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack('I', 2))`

/**
 * A disk that loses, as at a power cut, all that nobody has asked it to keep: ext4 on a loop device. Nothing where this process may not
 * mount, or has no python3 to say it with.
 */
export function cuttableDisk() {
  if (spawnSync('python3', ['--version']).status !== 0) return undefined
  const place = mkdtempSync(join(tmpdir(), 'power-'))
  const [image, folder] = [join(place, 'image'), join(place, 'disk')]
  mkdirSync(folder)
  if (!mountImage(image, folder, MEGABYTES)) {
    rmSync(place, { recursive: true })
    return undefined
  }
  return {
    folder,
    /** From this moment nothing is written any more: neither cached pages nor ext4's own journal. Whoever writes is refused. */
    cut: () => void execFileSync('python3', ['-c', SHUTDOWN, folder]),
    /** The disk as the next start of the machine finds it. Nobody may have a file of it open. */
    powerOn() {
      for (const step of [() => spawnSync('umount', [folder]), () => mount(image, folder)]) {
        const { status, stderr } = step()
        if (status !== 0) throw new Error(`the disk does not come back: ${stderr.toString()}`)
      }
    },
    remove() {
      spawnSync('umount', ['--lazy', folder])
      rmSync(place, { recursive: true, force: true })
    },
  }
}

const mount = (image: string, folder: string) => spawnSync('mount', ['-o', 'loop', image, folder])

/** A new ext4 in the file `image`, all of whose room anybody may take; `false` where this process may not mount. */
export function mountImage(image: string, folder: string, megabytes: number): boolean {
  writeFileSync(image, '')
  truncateSync(image, megabytes * 1_024 * 1_024)
  const isMade = spawnSync('mkfs.ext4', ['-q', '-F', '-m', '0', image]).status === 0
  return isMade && mount(image, folder).status === 0
}
