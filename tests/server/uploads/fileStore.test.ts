import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findConfirmedUpload } from '../../../server/db/uploads.ts'
import { attachUpload, checkUpload, fileUrl } from '../../../server/services/uploads/uploads.ts'
import type { ObjectName } from '../../../server/store/FileStore.ts'
import { makeImage } from '../../support/uploads/makeImage.ts'
import { makePresignedUpload } from '../../support/uploads/makeUpload.ts'
import { backends, type StoreServer } from './storeBackends.ts'

const FILE = 'a small file'
const TERMS = { contentType: 'image/png', contentLength: FILE.length }

const newName = (folder: 'incoming' | 'stored' = 'incoming'): ObjectName =>
  `${folder}/public/brand_logo/${randomUUID()}`

describe.each(backends)('files in $name', ({ once, changesOf, start }) => {
  let server: StoreServer
  beforeAll(async () => {
    server = await start()
  }, 120_000)
  afterAll(() => server.close())
  beforeEach(() => server.clock.set(new Date()))

  const store = () => server.deps.store
  const textOf = async (name: ObjectName) => {
    const bytes = await store().read(name, 1_000)
    return bytes && Buffer.from(bytes).toString()
  }
  /** Sends a PUT as a browser does, which sets the length from the body. */
  const put = async (url: string, headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer> = FILE) => {
    const response = await fetch(url, { method: 'PUT', headers, body })
    await response.arrayBuffer()
    return response.status
  }

  it('UPL-10: take what was announced, without token and cookie', async () => {
    const name = newName()
    const { url, headers, expiresAt } = await store().presignPut(name, TERMS)
    expect(expiresAt.getTime() - server.clock.now().getTime()).toBe(5 * 60_000)
    expect(Object.keys(headers).toSorted()).toEqual(['content-type'])
    expect(await put(url, headers)).toBe(200)
    expect(await textOf(name)).toBe(FILE)
  })

  it('UPL-02: take no other type, length or key, and leave nothing behind', async () => {
    const name = newName()
    const other = newName()
    const { url, headers } = await store().presignPut(name, TERMS)
    const { 'content-type': _type, ...withoutType } = headers
    expect(await put(url, { ...headers, 'content-type': 'text/html' })).toBe(403)
    expect(await put(url, withoutType, new TextEncoder().encode(FILE))).toBe(403)
    expect(await put(url, headers, `${FILE}!`)).toBe(403)
    expect(await put(url, headers, FILE.slice(1))).toBe(403)
    expect(await put(url, headers, 'x'.repeat(5_000_000))).toBe(403)
    expect(await put(url.replace(name, other), headers)).toBe(403)
    expect(await textOf(name)).toBeUndefined()
    expect(await textOf(other)).toBeUndefined()
    // The address works: only those requests were wrong.
    expect(await put(url, headers)).toBe(200)
  })

  it('UPL-02: take no address that was changed', async () => {
    const { url, headers } = await store().presignPut(newName(), TERMS)
    const { url: other } = await store().presignPut(newName(), TERMS)
    for (const changed of changesOf(url, other))
      expect(`${changed} ${await put(changed, headers)}`).toBe(`${changed} 403`)
    const bare = new URL(url)
    bare.search = ''
    expect([400, 403]).toContain(await put(bare.href, headers))
    const response = await fetch(url, { headers })
    await response.arrayBuffer()
    expect(response.status).toBe(403)
  })

  it('UPL-03: take nothing after five minutes', async () => {
    server.clock.advance({ minutes: -5, seconds: -10 })
    const name = newName()
    const { url, headers } = await store().presignPut(name, TERMS)
    server.clock.set(new Date())
    expect(await put(url, headers)).toBe(403)
    expect(await textOf(name)).toBeUndefined()
  })

  if (once) {
    it('UPL-03: are taken once: of ten at the same time one, and none after it', async () => {
      const name = newName()
      const { url, headers } = await store().presignPut(name, TERMS)
      const statuses = await Promise.all(Array.from({ length: 10 }, () => put(url, headers)))
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 9 }, () => 412)])
      expect(await put(url, headers, FILE.toUpperCase())).toBe(412)
      expect(await textOf(name)).toBe(FILE)
    })
  }

  it('are shown by an address that is good for its time, as the type and name it says', async () => {
    const name = newName('stored')
    await store().write(name, Buffer.from(FILE), 'application/octet-stream')
    const url = await store().presignGet(name, { contentType: 'image/png', contentDisposition: 'inline' }, 60)
    const shown = await fetch(url)
    expect(shown.status).toBe(200)
    expect(shown.headers.get('content-type')).toBe('image/png')
    expect(shown.headers.get('content-disposition')).toBe('inline')
    expect(await shown.text()).toBe(FILE)
    const statusOf = async (address: string) => {
      const response = await fetch(address)
      await response.arrayBuffer()
      return response.status
    }
    const { search: ofHtml } = new URL(
      await store().presignGet(newName('stored'), { contentType: 'text/html', contentDisposition: 'inline' }, 60),
    )
    expect(await statusOf(new URL(ofHtml, url).href)).toBe(403)
    expect(await statusOf(url.replace(name, newName('stored')))).toBe(403)
    server.clock.advance({ seconds: -70 })
    const old = await store().presignGet(name, { contentType: 'image/png', contentDisposition: 'inline' }, 60)
    server.clock.set(new Date())
    expect(await statusOf(old)).toBe(403)
  })

  it('are written, read up to a bound, replaced and removed; not being there is no failure', async () => {
    const name = newName('stored')
    expect(await textOf(name)).toBeUndefined()
    await store().remove(name)
    await store().write(name, Buffer.from('before'), 'image/png')
    await store().write(name, Buffer.from(FILE), 'image/png')
    expect(await textOf(name)).toBe(FILE)
    expect(await store().read(name, 3)).toHaveLength(3)
    await store().remove(name)
    expect(await textOf(name)).toBeUndefined()
  })

  it('UPL-03: do not change once they were checked, though their address is still good', async () => {
    const { deps } = server
    const { db } = deps.database
    const image = await makeImage({ width: 150, height: 100 })
    const owner = 'public'
    const { key, url, headers } = await makePresignedUpload(deps, owner, 'brand_logo', image)
    expect(await put(url, headers, image)).toBe(200)
    const checked = await checkUpload(deps, owner, { kind: 'brand_logo', key, path: 'logo' })
    await attachUpload(db, checked, 'logo', server.clock.now())
    const file = (await findConfirmedUpload(db, key))!
    const shown = async () => Buffer.from(await (await fetch(await fileUrl(deps, file))).arrayBuffer())
    const before = await shown()
    expect(before).toHaveLength(file.size)
    expect(
      await put(
        url,
        headers,
        image.map((byte) => byte ^ 1),
      ),
    ).toBe(once ? 412 : 200)
    expect(await shown()).toEqual(before)
  })
})
