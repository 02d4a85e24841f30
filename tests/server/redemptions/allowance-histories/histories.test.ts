import { createPublicKey, randomUUID, verify } from 'node:crypto'
import { Dexie } from 'dexie'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import fc from 'fast-check'
import { beforeEach, expect } from 'vitest'
import { makeVoucherKey, readVoucherKeys, signingKey } from '../../../../server/services/vouchers/voucherKeys.ts'
import { makePosUser, makeTill } from '../../../support/database/builders.ts'
import { codeBy } from '../../../support/redemptions/acceptingTill.ts'
import { TestSession } from '../../../support/redemptions/TestSession.ts'
import { ask, db, it, server } from '../../../support/server/serverTest.ts'
import { EXAMPLES, History, history, type HistoryPlace } from './History.ts'
import type { TabletPlace } from './Tablet.ts'

/** `PROPERTY_RUNS` raises it. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 60)

let verifySigned: TabletPlace['verify']
let codeOf: HistoryPlace['codeOf']
let other: HistoryPlace['other']

it.beforeAll(async ({ server: { deps } }) => void (await makeVoucherKey(deps)))

beforeEach(async () => {
  Dexie.dependencies.indexedDB = new IDBFactory()
  Dexie.dependencies.IDBKeyRange = IDBKeyRange
  const [key] = await readVoucherKeys(server.deps)
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key!.public_key }, format: 'jwk' })
  verifySigned = async (id, signed, signature) =>
    id === key!.id && verify(null, signed, publicKey, signature) ? 'good' : 'bad'
  const signing = await signingKey(server.deps)
  codeOf = (voucher) => codeBy(signing, voucher)
  const user = await makePosUser(db())
  const till = await makeTill(db(), user, { id: randomUUID() })
  const session = await TestSession.begin(server, user.id)
  other = { ask, till: till.id, token: () => session.token() }
})

it(
  'three tills whose customers copy vouchers accept what their manager was shown at most, and no voucher is redeemed twice',
  async () => {
    const place = { server, verify: verifySigned, codeOf, other }
    const property = fc.asyncProperty(history, (asked) => History.run(place, asked))
    await expect(
      fc.assert(property, { numRuns: RUNS, examples: EXAMPLES.map((one) => [one]) }),
    ).resolves.toBeUndefined()
  },
  RUNS * 2_000,
)
