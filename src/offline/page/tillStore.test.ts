import { beforeEach, describe, expect, it } from 'vitest'
import { installBrowserGlobals } from '../../../tests/support/browserGlobals.ts'
import type { Receipt } from '../../contract/voucher.ts'

installBrowserGlobals()
const { storeAbandoned, storeAsking, storeReceipt, storeSeen, storeSettled, tillRows, withRedemption } =
  await import('./tillStore.ts')

const voucher = { serial: '2004839201186', denomination_cents: 1000, expires_on: '2026-12-31' }
const receiptOf = (id: string): Receipt => ({
  id,
  ...voucher,
  receipt_number: 'R-000001',
  redeemed_at: '2026-11-21T01:41:07Z',
  pos_username: 'till-1',
  branch_name: 'Tampines Central',
})

describe('redemptions on the device', () => {
  let owner: string
  let id: string
  beforeEach(() => {
    owner = crypto.randomUUID()
    id = crypto.randomUUID()
  })
  const only = async () => (await tillRows(owner))[0]

  it('are stored before they are sent, for their cashier alone', async () => {
    await storeAsking(id, owner, voucher)
    expect(await only()).toMatchObject({ id, state: 'asking', ...voucher })
    expect(await tillRows(crypto.randomUUID())).toEqual([])
  })

  it('are settled by their receipt', async () => {
    await storeAsking(id, owner, voucher)
    await storeReceipt(id, receiptOf(id))
    expect(await only()).toMatchObject({ state: 'receipted', unseen: false, receipt: { receipt_number: 'R-000001' } })
  })

  it('say so when the receipt comes after the cashier gave up, until it was seen', async () => {
    await storeAsking(id, owner, voucher)
    await storeAbandoned(id)
    await storeReceipt(id, receiptOf(id))
    expect(await only()).toMatchObject({ state: 'receipted', unseen: true })
    await storeSeen(id)
    expect((await only())?.unseen).toBe(false)
  })

  it('keep the late receipt unseen, however often its answer comes in', async () => {
    await storeAsking(id, owner, voucher)
    await storeAbandoned(id)
    await storeReceipt(id, receiptOf(id))
    await storeReceipt(id, receiptOf(id))
    await storeSettled(id, 'nothing taken')
    expect(await only()).toMatchObject({ state: 'receipted', unseen: true })
  })

  it('keep a receipt that arrives in the moment of giving up', async () => {
    await storeAsking(id, owner, voucher)
    await storeReceipt(id, receiptOf(id))
    expect((await storeAbandoned(id))?.receipt?.id).toBe(id)
    expect((await only())?.state).toBe('receipted')
  })

  it('are dealt with by one tab at a time', async () => {
    let release: () => void = () => undefined
    const first = withRedemption(id, () => new Promise<string>((resolve) => (release = () => resolve('first'))))
    await Promise.resolve()
    expect(await withRedemption(id, async () => 'second')).toBeUndefined()
    release()
    expect(await first).toBe('first')
  })
})
