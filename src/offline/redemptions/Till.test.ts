import { describe, expect, it, vi } from 'vitest'
import { HoldServer } from '../../../tests/support/redemptions/HoldServer.ts'
import { TillDevice } from '../../../tests/support/redemptions/TillDevice.ts'
import { LIMITS } from '../../contract/limits.ts'

const SERIAL = '2000000000015'

const LONGEST_REST_MINUTES = 5

/** After this time a missing page counts as closed. */
const SECONDS_FOR_RELOAD = 10

describe('a voucher that was given back', () => {
  it('costs one try of a lost connection before it is verified, however often it was given back', async () => {
    const device = new TillDevice(new HoldServer())
    for (let times = 0; times < 4; times += 1) await device.ask(SERIAL, 'drop')
    const before = device.calls
    await device.ask(SERIAL, 'drop')
    expect(device.calls - before).toBe(1 + 2)
  })

  it('is released before it is verified again, so that a till never blocks itself', async () => {
    const device = new TillDevice(new HoldServer())
    expect((await device.ask(SERIAL, 'up')).is).toBe('held')
    // The connection is lost only for the Cancel, and is back for the next scan.
    await device.cancel()
    expect((await device.ask(SERIAL, 'up')).is).toBe('held')
  })
})

describe('a voucher in hand', () => {
  const held = async () => {
    const server = new HoldServer()
    const device = new TillDevice(server)
    await device.ask(SERIAL, 'up')
    return { server, device }
  }
  const isGivenBack = async ({ server, device }: Awaited<ReturnType<typeof held>>) => {
    await device.upload('up')
    return server.holds.size === 0
  }

  it('is taken up by its cashier after a reload, for the rest of its ten minutes', async () => {
    const { server, device } = await held()
    device.pass(6)
    expect(await device.reload()).toMatchObject([{ serial: SERIAL, state: 'held' }])
    device.pass(3)
    await device.confirm('up')
    await device.upload('up')
    expect(server.ledger).toMatchObject([{ serial: SERIAL }])
    await device.checkSettled()
  })

  it('is given back by Cancel after a reload', async () => {
    const { server, device } = await held()
    await device.reload()
    await device.cancel()
    expect(await isGivenBack({ server, device })).toBe(true)
  })

  it('cannot be redeemed after its ten minutes, even after a reload, or if the browser has stopped its page', async () => {
    const { server, device } = await held()
    device.pass(6)
    await device.reload()
    device.pass(4)
    await device.confirm('up')
    expect(device.confirmed.size).toBe(0)
    const stopped = await held()
    stopped.device.pass(10)
    expect(await stopped.device.openTab()).toEqual([])
    expect([await isGivenBack({ server, device }), await isGivenBack(stopped)]).toEqual([true, true])
  })

  it('is given back after a reload if its ten minutes are over, the clock was turned back, or another cashier is logged in', async () => {
    const [over, back, other] = [await held(), await held(), await held()]
    over.device.pass(10)
    back.device.setClock(-1)
    expect(await over.device.reload()).toEqual([])
    expect(await back.device.reload()).toEqual([])
    expect(await other.device.reload('another cashier')).toEqual([])
    other.device.pass(SECONDS_FOR_RELOAD / 60)
    await other.device.look()
    expect([await isGivenBack(over), await isGivenBack(back), await isGivenBack(other)]).toEqual([true, true, true])
  })

  it('stays with its page when another page is opened', async () => {
    const { server, device } = await held()
    expect(await device.openTab()).toEqual([])
    expect(await isGivenBack({ server, device })).toBe(false)
  })

  // Another tab once checked in the same second, and gave back holds that the reloaded page was about to take up.
  it('is not given back by another tab while its page reloads, but is if that page never returns', async () => {
    const { server, device } = await held()
    await device.crash()
    for (const seconds of [0, 4, 5]) {
      device.pass(seconds / 60)
      await device.look()
    }
    expect(await isGivenBack({ server, device })).toBe(false)
    expect(await device.look(), 'when the next check is due').toBe(1_000)
    device.pass(1 / 60)
    expect(await device.look()).toBeUndefined()
    expect(await isGivenBack({ server, device })).toBe(true)
  })

  it('has the full time for a reload again if its page was there in between', async () => {
    const { server, device } = await held()
    await device.crash()
    device.pass(9 / 60)
    expect(await device.newPage().takeUp('cashier')).toHaveLength(1)
    expect(await device.look()).toBeUndefined()
    device.closeOthers()
    device.pass(2 / 60)
    expect(await device.look()).toBe(SECONDS_FOR_RELOAD * 1_000)
    expect(await isGivenBack({ server, device })).toBe(false)
  })

  it('is given back when its cashier logs out, and not before', async () => {
    const { server, device } = await held()
    await device.serve('cashier')
    expect(await isGivenBack({ server, device })).toBe(false)
    await device.serve(undefined)
    expect(await isGivenBack({ server, device })).toBe(true)
  })
})

describe('a tray of several vouchers', () => {
  const TRAY = ['2000000000015', '2000000000022', '2000000000039'] as const
  const filled = async (minutesBetween = 0) => {
    const server = new HoldServer()
    const device = new TillDevice(server)
    for (const serial of TRAY) {
      expect((await device.ask(serial, 'up')).is).toBe('held')
      device.pass(minutesBetween)
    }
    return { server, device }
  }
  const redeemed = ({ ledger }: HoldServer) => ledger.map(({ serial }) => serial)

  it('is redeemed by one tap, each voucher under its own hold, and a lost answer redeems none of them twice', async () => {
    const { server, device } = await filled()
    expect(await device.confirm('up')).toEqual(['confirmed', 'confirmed', 'confirmed'])
    await device.uploadDue('lose')
    expect(redeemed(server)).toEqual(TRAY)
    await device.upload('up')
    expect(redeemed(server)).toEqual(TRAY)
    await device.checkSettled()
  })

  it('is redeemed without a voucher whose ten minutes are over, which is given back', async () => {
    const { server, device } = await filled(4)
    expect(await device.confirm('up')).toEqual(['over', 'confirmed', 'confirmed'])
    await device.upload('up')
    expect(redeemed(server)).toEqual(TRAY.slice(1))
    expect(server.holds.size).toBe(0)
    await device.checkSettled()
  })

  it('is taken up after a reload, oldest voucher first, without the one whose ten minutes are over', async () => {
    const { server, device } = await filled(4)
    expect((await device.reload()).map(({ serial }) => serial)).toEqual(TRAY.slice(1))
    expect(await device.openTab(), 'another page has it').toEqual([])
    await device.reload()
    expect(await device.confirm('up')).toEqual(['confirmed', 'confirmed'])
    await device.upload('up')
    expect(redeemed(server)).toEqual(TRAY.slice(1))
    expect(server.holds.size).toBe(0)
    await device.checkSettled()
  })

  it('is redeemed without the voucher that its merchant has released, which a cashier is told about', async () => {
    const { server, device } = await filled()
    server.release(TRAY[1])
    await device.confirm('up')
    await device.upload('up')
    expect(redeemed(server)).toEqual([TRAY[0], TRAY[2]])
    expect(await device.unread()).toEqual(['attention'])
    await device.checkSettled()
  })
})

describe('vouchers that wait for the connection', () => {
  const [first, second, third] = ['2000000000015', '2000000000022', '2000000000039'] as const
  const take = async (device: TillDevice, serial: string) => {
    await device.ask(serial, 'up')
    await device.confirm('drop')
  }

  it('are uploaded after a new one, in the order of the taps, even before their wait is over', async () => {
    const server = new HoldServer()
    const device = new TillDevice(server)
    for (const serial of [first, second]) {
      await take(device, serial)
      await device.uploadDue('drop')
    }
    // The connection is back at the third tap, whose upload a cashier waits for.
    await take(device, third)
    await device.uploadDue('up')
    expect(server.ledger.map(({ serial }) => serial)).toEqual([third, first, second])
  })

  it('are uploaded in one request when the connection is back, and a lost answer costs one more request but no money', async () => {
    const server = new HoldServer()
    const device = new TillDevice(server)
    for (const serial of [first, second, third]) await take(device, serial)
    await device.uploadDue('drop')
    const before = device.calls
    await device.upload('lose')
    expect(server.ledger.map(({ serial }) => serial)).toEqual([first, second, third])
    await device.upload('up')
    expect(device.calls - before).toBe(2)
    // Each voucher is redeemed once, and shown as redeemed only with the ledger's receipt.
    expect(server.ledger).toHaveLength(3)
    await device.checkSettled()
  })
})

describe('a voucher that another till holds at the second request', () => {
  // A search through all states of a hold found this case.
  it('does not stay held when the first request arrives late, and finds the voucher free', async () => {
    const server = new HoldServer()
    const [device, other] = [new TillDevice(server), new TillDevice(server)]
    await other.ask(SERIAL, 'up')
    expect(await device.ask(SERIAL, 'delay the first')).toMatchObject({ is: 'refused' })
    await other.cancel()
    await other.upload('up')
    await device.upload('up')
    expect(server.holds.size).toBe(0)
    await device.checkSettled()
  })
})

describe('a void without an answer', () => {
  const takenAndUploaded = async () => {
    const server = new HoldServer()
    const device = new TillDevice(server)
    await device.ask(SERIAL, 'up')
    await device.confirm('up')
    await device.upload('up')
    return { server, device }
  }

  it.each(['lose', 'delay'] as const)('is shown as voided when the server says so (%s)', async (line) => {
    const { server, device } = await takenAndUploaded()
    await device.void(line)
    await device.settle()
    expect(server.ledger).toMatchObject([{ voided: true }])
    await device.checkSettled()
  })

  it('is sent until the server has answered, however far the device’s clock jumps, and voids in time', async () => {
    const { server, device } = await takenAndUploaded()
    expect(await device.void('drop')).toEqual({ is: 'no answer' })
    device.setClock(3 * 24 * 60)
    await device.upload('drop')
    await device.upload('up')
    expect(server.ledger).toMatchObject([{ voided: true }])
    await device.checkSettled()
  })

  it('leaves the voucher redeemed if it comes too late, and a cashier is told that once', async () => {
    const { server, device } = await takenAndUploaded()
    await device.void('drop')
    server.now += (LIMITS.voidMinutes + 1) * 60_000
    await device.upload('up')
    const before = device.calls
    device.pass(LONGEST_REST_MINUTES)
    await device.upload('up')
    expect(device.calls).toBe(before)
    expect(server.ledger).toMatchObject([{ voided: false }])
    expect(await device.unread(), 'its cashier no longer waited').toEqual(['receipted'])
    expect(await device.void('up')).toMatchObject({ is: 'refused', refused: { code: 'VOID_TOO_LATE' } })
    expect(await device.unread(), 'its cashier was told').toEqual([])
    await device.checkSettled()
  })
})

describe('a void at a server that was restored from a backup without the redemption', () => {
  it('gives back the restored hold, and ends as voided', async () => {
    const server = new HoldServer()
    const device = new TillDevice(server)
    await device.ask(SERIAL, 'up')
    const before = { holds: new Map(server.holds), ended: new Map(server.ended) }
    await device.confirm('up')
    await device.upload('up')
    server.ledger.pop()
    server.ended.clear()
    for (const [serial, hold] of before.holds) server.holds.set(serial, hold)
    expect(await device.void('up')).toEqual({ is: 'voided' })
    expect([server.holds.size, await device.unread()]).toEqual([0, []])
  })
})

describe('a void of a voucher that the server refuses before the cashier has confirmed the void', () => {
  it('does not hide the refusal', async () => {
    const server = new HoldServer()
    const device = new TillDevice(server)
    await device.ask(SERIAL, 'up')
    const [row] = await device.reload()
    server.release(SERIAL)
    await device.confirm('up')
    await device.upload('up')
    await device.voidRow(row!.id)
    expect(await device.unread()).toEqual(['attention'])
  })
})

describe('a void whose page ends while it is sent', () => {
  it.each([
    ['in time, and is voided', 0, ['voided']],
    ['too late, and stays redeemed', LIMITS.voidMinutes + 1, ['receipted']],
  ] as const)('reaches the server %s, and a cashier is told', async (_, minutes, unread) => {
    const server = new HoldServer()
    const device = new TillDevice(server)
    await device.ask(SERIAL, 'up')
    await device.confirm('up')
    await device.upload('up')
    const before = device.calls
    void device.void('hang')
    await vi.waitFor(() => expect(device.calls).toBe(before + 1))
    await device.crash()
    server.now += minutes * 60_000
    await device.upload('up')
    expect(await device.unread()).toEqual(unread)
  })
})

describe('a void of a voucher that may not have been redeemed yet', () => {
  it.each([
    ['nothing arrived', 'drop', 'drop'],
    ['the redemption arrived, and its answer was lost', 'lose', 'drop'],
    ['both arrived, and no answer came', 'lose', 'lose'],
    ['the redemption arrives after the cancel', 'delay', 'up'],
  ] as const)('ends as voided if %s, and a cashier is told', async (_, redeeming, voiding) => {
    const server = new HoldServer()
    const device = new TillDevice(server)
    await device.ask(SERIAL, 'up')
    await device.confirm('drop')
    await device.upload(redeeming)
    expect(await device.void(voiding)).toEqual({ is: voiding === 'up' ? 'voided' : 'no answer' })
    await device.settle()
    expect(server.ledger.filter((entry) => !entry.voided)).toEqual([])
    expect(await device.unread()).toEqual(voiding === 'up' ? [] : ['voided'])
    await device.checkSettled()
  })
})

describe('a voucher that this till has redeemed', () => {
  it('is known on this device, unless the server says that it was voided meanwhile', async () => {
    const server = new HoldServer()
    const device = new TillDevice(server)
    await device.ask(SERIAL, 'up')
    await device.confirm('up')
    await device.upload('up')
    expect((await device.ask(SERIAL, 'up')).is).toBe('known')
    server.ledger[0]!.voided = true
    expect((await device.ask(SERIAL, 'drop')).is, 'without a connection the device’s own row counts').toBe('known')
    expect((await device.ask(SERIAL, 'up')).is).toBe('held')
  })
})
