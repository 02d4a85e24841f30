import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkUpload } from '../../server/services/checkUpload.ts'
import { Unavailable } from '../../server/services/Unavailable.ts'
import { s3Store } from '../../server/store/s3Store.ts'
import { freePort } from '../support/freePort.ts'
import { testServer, type TestServer } from '../support/testServer.ts'
import { presign } from '../support/uploads.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

it('FLT-13: a store that is away refuses nothing for good: the file can be checked when it is back', async () => {
  const keys = { bucket: 'files', region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b', conditionalPut: true }
  const store = s3Store({ endpoint: `http://127.0.0.1:${await freePort()}`, ...keys }, server.clock)
  const deps = { ...server.deps, store }
  const { key } = await presign(deps, 'public', 'brand_logo', new Uint8Array(10))
  const check = () => checkUpload(deps, 'public', { kind: 'brand_logo', key, path: 'logo' })
  await expect(check()).rejects.toThrow(Unavailable)
  await expect(check()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
})
