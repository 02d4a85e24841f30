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

/** Makes a file system of `megabytes` in memory. Returns undefined where this process may not mount. */
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

/** Fills up the disk that is mounted at `folder`. */
export function ballastOn(folder: string) {
  const ballast = join(folder, 'ballast')
  return {
    /** Fills the disk to its last byte. */
    fill() {
      // Another process may write between the two calls.
      for (let part = 0; room(folder) > 0; part++) takeRoom(`${ballast}-${part}`, room(folder))
    },
    /** Frees the space again. */
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
  // Reserves the space without writing it. If that fails, it may have taken a part.
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
 * Makes a disk that loses all unsynced data, as in a power cut: ext4 on a loop device. Returns undefined where this process may not mount or there is
 * no python3 for the ioctl.
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
    /** From now on nothing is written, neither cached pages nor ext4's own journal. Writes fail. */
    cut: () => void execFileSync('python3', ['-c', SHUTDOWN, folder]),
    /** Mounts the disk as the next start of the machine finds it. All its files must be closed. */
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

/** Makes an ext4 in the file `image` and mounts it. Its whole space can be used by every user. Returns false where this process may not mount. */
export function mountImage(image: string, folder: string, megabytes: number): boolean {
  writeFileSync(image, '')
  truncateSync(image, megabytes * 1_024 * 1_024)
  const tillDatabaseExists = spawnSync('mkfs.ext4', ['-q', '-F', '-m', '0', image]).status === 0
  return tillDatabaseExists && mount(image, folder).status === 0
}
