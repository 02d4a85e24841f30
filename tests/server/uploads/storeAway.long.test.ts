import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../../server/app.ts'
import type { Deps } from '../../../server/Deps.ts'
import { s3Store, type S3Options } from '../../../server/store/s3Store.ts'
import type { Profile } from '../../../src/contract/profile.ts'
import { organisationProfile } from '../../support/api/forms.ts'
import { loggedInClient, type LoggedInClient } from '../../support/api/loggedInClient.ts'
import type { Ask } from '../../support/api/portalClient.ts'
import { makeMerchant, type Merchant } from '../../support/database/builders.ts'
import { faultProxy, type FaultProxy } from '../../support/faults/faultProxy.ts'
import { testServer, type TestServer } from '../../support/server/testServer.ts'
import { makeImage } from '../../support/uploads/makeImage.ts'
import { makePresignedUpload } from '../../support/uploads/makeUpload.ts'
import { startSwift, type Swift } from '../../support/uploads/swift.ts'

describe('a store that is away', () => {
  let server: TestServer
  let swift: Swift
  let line: FaultProxy
  let deps: Deps
  let merchant: Merchant
  let main: LoggedInClient
  beforeAll(async () => {
    server = await testServer()
    // The store uses its own clock to check an address.
    server.clock.set(new Date())
    swift = await startSwift()
    line = await faultProxy(() => Number(new URL(swift.options.endpoint).port))
    const store = s3Store({ ...swift.options, endpoint: `http://127.0.0.1:${line.port}` }, server.clock)
    deps = { ...server.deps, store }
    const app = createApp(deps)
    const ask: Ask = (path, init) => app.request(path, init)
    merchant = await makeMerchant(server.database.db)
    main = await loggedInClient(ask, merchant.main)
  })
  beforeEach(() => line.pass())
  afterAll(async () => {
    await line?.close()
    swift?.stop()
    await server?.close()
  })

  const profile = async () => (await main.get<Profile>(`/merchant/get/${merchant.main.id}`)).data
  const save = async (given: object) =>
    main.put<Profile>(`/merchant/main/${merchant.main.id}`, organisationProfile((await profile()).revision, given))

  async function uploadLogo(): Promise<string> {
    const bytes = await makeImage({ width: 100, height: 50 })
    const owner = { organisationId: merchant.organisation.id, userId: merchant.main.id }
    const { key, url, headers } = await makePresignedUpload(deps, owner, 'profile_logo', bytes)
    expect((await fetch(url, { method: 'PUT', headers, body: bytes })).ok).toBe(true)
    return key
  }

  const FAULTS: [string, () => void | Promise<void>][] = [
    ['refuses connections', () => line.refuse()],
    ['takes the request and loses the answer', () => line.loseAnswers()],
    ['never answers', () => line.blackHole()],
  ]
  it.each(FAULTS)(
    'FLT-13: one that %s keeps nobody long, changes nothing, and takes the same file when it is back',
    async (_, spoil) => {
      const logo = await uploadLogo()
      const before = await profile()
      await spoil()

      const began = performance.now()
      const saving = save({ logo })
      const address = await main.post('/s3_upload/s3_presigned_url', LOGO)
      expect(address.status).toBe(200)
      expect(await profile()).toEqual(before)
      expect(await saving).toMatchObject({ status: 503, error: 'STORE_UNAVAILABLE' })
      expect((await saving).headers.get('retry-after')).toBe('5')
      expect(performance.now() - began).toBeLessThan(MOST_MS)
      expect(await profile()).toEqual(before)

      await line.pass()
      expect(await save({ logo })).toMatchObject({ status: 200, data: { logo_key: logo } })
    },
  )

  /** Saves the profile on a server that has other store options. */
  async function saveWith(options: Partial<S3Options>, logo: string) {
    const app = createApp({ ...deps, store: s3Store({ ...swift.options, ...options }, server.clock) })
    const client = await loggedInClient((path, init) => app.request(path, init), merchant.main)
    const { data } = await client.get<Profile>(`/merchant/get/${merchant.main.id}`)
    return client.put<Profile>(`/merchant/main/${merchant.main.id}`, organisationProfile(data.revision, { logo }))
  }

  const WRONG: [string, Partial<S3Options>, RegExp][] = [
    ['a bucket that is not there', { bucket: 'misspelt' }, /NoSuchBucket/],
    ['an address where nobody listens', { endpoint: 'http://localhost:65534' }, /ECONNREFUSED/],
  ]
  it.each(WRONG)('says 503 of %s, and what is wrong to the log', async (_, options, message) => {
    const logo = await uploadLogo()
    expect(await saveWith(options, logo)).toMatchObject({ status: 503, error: 'STORE_UNAVAILABLE' })
    const failures = server.log.events.filter(({ event }) => event === 'store_unavailable')
    expect(failures.at(-1)?.facts['message']).toMatch(message)
  })

  it('is reached by a second key too, so that the first can be taken away without a pause', async () => {
    const saveBy = (accessKeyId: string, secretAccessKey: string, logo: string) =>
      saveWith({ accessKeyId, secretAccessKey }, logo)
    // Uploaded to an address that a server with the first key has signed.
    const logo = await uploadLogo()
    expect(await saveBy('test:second', 'second', logo)).toMatchObject({ status: 200, data: { logo_key: logo } })
    const next = await uploadLogo()
    expect(await saveBy('test:tester', 'taken away', next)).toMatchObject({ status: 503, error: 'STORE_UNAVAILABLE' })
    expect(await saveBy('test:second', 'second', next)).toMatchObject({ status: 200, data: { logo_key: next } })
  })
})

const LOGO = { kind: 'profile_logo', content_type: 'image/png', content_length: 40_000 }
const MOST_MS = 15_000
