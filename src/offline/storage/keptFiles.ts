import * as v from 'valibot'
import type { UserDatabase } from '../store/databases.ts'
import { KeptFileRow } from '../store/userRows.ts'
import { userStore } from './userStore.ts'
import { withRoom } from './withRoom.ts'

/** What a tablet gives to files of the programme; beyond it the oldest go first. */
export const KEPT_FILES = { most: 20, bytes: 50_000_000 } as const

interface FileToKeep extends Pick<KeptFileRow, 'id' | 'filename' | 'type' | 'version'> {
  bytes: ArrayBuffer
}

export interface KeptFiles {
  /** Newest first. A row of a release this code does not know is left alone. */
  list: () => Promise<KeptFileRow[]>
  read: (id: string) => Promise<File | undefined>
  /** In the place of an older one. Throws what IndexedDB throws: a full disk, a deleted database. */
  keep: (file: FileToKeep) => Promise<void>
  drop: (id: string) => Promise<void>
}

/**
 * Files that `owner` opened on this device, readable offline until a sign-out deletes the database. It is taken hold of now: the
 * late write of a slow download must not make a deleted one anew.
 */
export function keptFilesOf(owner: string): KeptFiles {
  const store = userStore(owner)
  const { keptFiles, files } = store
  return {
    list: async () => parsed(await keptFiles.orderBy('keptAt').reverse().toArray()),
    async read(id) {
      const [row, file] = await Promise.all([keptFiles.get(id), files.get(id)])
      return row && file && new File([file.bytes], row.filename, { type: file.type })
    },
    keep: ({ bytes, ...file }) =>
      withRoom(() =>
        store.transaction('rw', keptFiles, files, async () => {
          await files.put({ id: file.id, bytes, type: file.type })
          await keptFiles.put({ ...file, size: bytes.byteLength, keptAt: Date.now() })
          await makeRoom(store)
        }),
      ),
    drop: (id) => store.transaction('rw', keptFiles, files, () => remove(store, [id])),
  }
}

async function makeRoom(store: UserDatabase) {
  let bytes = 0
  const newestFirst = await store.keptFiles.orderBy('keptAt').reverse().toArray()
  const surplus = newestFirst.filter(({ size }, index) => {
    bytes += size
    return index >= KEPT_FILES.most || bytes > KEPT_FILES.bytes
  })
  await remove(
    store,
    surplus.map(({ id }) => id),
  )
}

async function remove({ keptFiles, files }: UserDatabase, ids: string[]) {
  await keptFiles.bulkDelete(ids)
  await files.bulkDelete(ids)
}

const parsed = (rows: unknown[]): KeptFileRow[] =>
  rows.flatMap((row) => {
    const known = v.safeParse(KeptFileRow, row)
    return known.success ? [known.output] : []
  })
