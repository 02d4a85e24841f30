import { beforeEach, describe, expect, it } from 'vitest'
import { installBrowserGlobals } from '../../../tests/support/browser/browserGlobals.ts'

installBrowserGlobals()
const { KEPT_FILES, keptFilesOf } = await import('./keptFiles.ts')
const { userStore, wipeUserStore } = await import('./userStore.ts')

const MEGABYTE = 1_000_000
const file = (id: string, bytes = 10) => ({
  id,
  filename: `${id}.pdf`,
  type: 'application/pdf',
  version: '2026-11-01T00:00:00.000Z',
  bytes: new ArrayBuffer(bytes),
})

describe('files of the programme on the device', () => {
  let owner: string
  beforeEach(() => {
    owner = crypto.randomUUID()
  })
  const ids = async () => (await keptFilesOf(owner).list()).map(({ id }) => id).toSorted()
  const storedBytes = async () => (await userStore(owner).files.toCollection().primaryKeys()).toSorted()

  it('come back as they were, and the newer takes the place of the older', async () => {
    await keptFilesOf(owner).keep({ ...file('guide'), bytes: new TextEncoder().encode('old').buffer })
    await keptFilesOf(owner).keep({ ...file('guide'), bytes: new TextEncoder().encode('new').buffer })
    const kept = await keptFilesOf(owner).read('guide')
    expect([kept?.name, kept?.type, await kept?.text()]).toEqual(['guide.pdf', 'application/pdf', 'new'])
    expect(await keptFilesOf(owner).list()).toMatchObject([{ id: 'guide', size: 3 }])
  })

  it('give way, oldest first, past the number that is kept', async () => {
    const names = Array.from({ length: KEPT_FILES.most + 2 }, (_, n) => `file ${String(n).padStart(2, '0')}`)
    await keepInTurn(names.map((name) => file(name)))
    expect(await ids()).toEqual(names.slice(2))
    expect(await storedBytes()).toEqual(names.slice(2))
  })

  it('give way, oldest first, past the room that they have', async () => {
    await keepInTurn(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => file(name, 9 * MEGABYTE)))
    expect(await ids()).toEqual(['b', 'c', 'd', 'e', 'f'])
    expect(await storedBytes()).toEqual(['b', 'c', 'd', 'e', 'f'])
  })

  it('leave the device one by one, or all with the sign-out; a late one does not come back', async () => {
    const kept = keptFilesOf(owner)
    await keepInTurn([file('a'), file('b')])
    await kept.drop('a')
    expect(await ids()).toEqual(['b'])
    expect(await storedBytes()).toEqual(['b'])
    await wipeUserStore(owner)
    await expect(kept.keep(file('late'))).rejects.toMatchObject({ name: 'DatabaseClosedError' })
    expect(await ids()).toEqual([])
  })

  /** Each kept a millisecond after the one before. */
  async function keepInTurn(files: ReturnType<typeof file>[]) {
    for (const [index, one] of files.entries()) {
      await keptFilesOf(owner).keep(one)
      await userStore(owner).keptFiles.update(one.id, { keptAt: index + 1 })
    }
  }
})
