import { describe, expect, it } from 'vitest'
import { HoldServer } from '../../../../tests/support/holdServer.ts'
import { TillDevice } from '../../../../tests/support/tillDevice.ts'

const SERIAL = '2000000000015'

describe('a voucher that was given back', () => {
  it('is let go before it is asked about anew: a till never stands in its own way', async () => {
    const device = new TillDevice(new HoldServer())
    expect((await device.ask(SERIAL, 'up')).is).toBe('held')
    // The line is down for the moment of the Cancel, and back for the next scan.
    await device.cancel()
    expect((await device.ask(SERIAL, 'up')).is).toBe('held')
  })
})
