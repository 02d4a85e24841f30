import { describe, expect, it, vi } from 'vitest'
import { HoldServer } from '../../../tests/support/redemptions/HoldServer.ts'
import { TillDevice } from '../../../tests/support/redemptions/TillDevice.ts'
import { LIMITS } from '../../contract/limits.ts'

const SERIAL = '2000000000015'

const LONGEST_REST_MINUTES = 5

/** After this time a missing page will not come back. */
const SECONDS_FOR_RELOAD = 10

describe('a voucher that was given back', () => {
  it('costs one try of a connection that is away before it is asked about, however often it was given back', async () => {
    const device = new TillDevice(new HoldServer())
    for (let times = 0; times < 4; times += 1) await device.ask(SERIAL, 'drop')
    const before = device.calls
    await device.ask(SERIAL, 'drop')
    expect(device.calls - before).toBe(1 + 2)
  })

  it('is let go before it is asked about anew: a till never stands in its own way', async () => {
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
  const isLetGo = async ({ server, device }: Awaited<ReturnType<typeof held>>) => {
    await device.upload('up')
    return server.holds.size === 0
  }

  it('is taken up by its cashier when the page is loaded anew, for what is left of its ten minutes', async () => {
    const { server, device } = await held()
    device.pass(6)
    expect(await device.reload()).toMatchObject([{ serial: SERIAL, state: 'held' }])
    device.pass(3)
    await device.confirm('up')
    await device.upload('up')
    expect(server.ledger).toMatchObject([{ serial: SERIAL }])
    await device.checkSettled()
  })

  it('is given back by Cancel after that', async () => {
    const { server, device } = await held()
    await device.reload()
    await device.cancel()
    expect(await isLetGo({ server, device })).toBe(true)
  })

  it('ends with its ten minutes, also where the page is loaded anew in between, or another page has been stopped with it', async () => {
    const { server, device } = await held()
    device.pass(6)
    await device.reload()
    device.pass(4)
    await device.confirm('up')
    expect(device.confirmed.size).toBe(0)
    const stopped = await held()
    stopped.device.pass(10)
    expect(await stopped.device.openTab()).toEqual([])
    expect([await isLetGo({ server, device }), await isLetGo(stopped)]).toEqual([true, true])
  })

  it('is let go where its ten minutes are over, its clock went back, or somebody else is logged in after the page was loaded anew', async () => {
    const [over, back, other] = [await held(), await held(), await held()]
    over.device.pass(10)
    back.device.setClock(-1)
    expect(await over.device.reload()).toEqual([])
    expect(await back.device.reload()).toEqual([])
    expect(await other.device.reload('another cashier')).toEqual([])
    other.device.pass(SECONDS_FOR_RELOAD / 60)
    await other.device.look()
    expect([await isLetGo(over), await isLetGo(back), await isLetGo(other)]).toEqual([true, true, true])
  })

  it('stays with the page that has it, whatever others are opened', async () => {
    const { server, device } = await held()
    expect(await device.openTab()).toEqual([])
    expect(await isLetGo({ server, device })).toBe(false)
  })

  // Another tab that looked in the same second cancelled holds that the new page was about to take up.
  it('is not let go by a tab that looks while its page is loaded anew, however often, and is when that page never comes', async () => {
    const { server, device } = await held()
    await device.crash()
    for (const seconds of [0, 4, 5]) {
      device.pass(seconds / 60)
      await device.look()
    }
    expect(await isLetGo({ server, device })).toBe(false)
    expect(await device.look(), 'when it looks again').toBe(1_000)
    device.pass(1 / 60)
    expect(await device.look()).toBeUndefined()
    expect(await isLetGo({ server, device })).toBe(true)
  })

  it('is missed anew where its page was there in between', async () => {
    const { server, device } = await held()
    await device.crash()
    device.pass(9 / 60)
    expect(await device.newPage().takeUp('cashier')).toHaveLength(1)
    expect(await device.look()).toBeUndefined()
    device.closeOthers()
    device.pass(2 / 60)
    expect(await device.look()).toBe(SECONDS_FOR_RELOAD * 1_000)
    expect(await isLetGo({ server, device })).toBe(false)
  })

  it('is let go at the logout of its cashier, and not while they are there', async () => {
    const { server, device } = await held()
    await device.serve('cashier')
    expect(await isLetGo({ server, device })).toBe(false)
    await device.serve(undefined)
    expect(await isLetGo({ server, device })).toBe(true)
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

  it('is redeemed by one tap, each under its own hold, and a lost answer redeems none of it twice', async () => {
    const { server, device } = await filled()
    expect(await device.confirm('up')).toEqual(['confirmed', 'confirmed', 'confirmed'])
    await device.uploadDue('lose')
    expect(redeemed(server)).toEqual(TRAY)
    await device.upload('up')
    expect(redeemed(server)).toEqual(TRAY)
    await device.checkSettled()
  })

  it('is redeemed without the one whose ten minutes are over, which is given back', async () => {
    const { server, device } = await filled(4)
    expect(await device.confirm('up')).toEqual(['over', 'confirmed', 'confirmed'])
    await device.upload('up')
    expect(redeemed(server)).toEqual(TRAY.slice(1))
    expect(server.holds.size).toBe(0)
    await device.checkSettled()
  })

  it('is taken up as a whole when its page is loaded anew, oldest first, without the one whose ten minutes are over', async () => {
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

  it('is redeemed without the one that its merchant has released, whose end somebody sees', async () => {
    const { server, device } = await filled()
    server.release(TRAY[1])
    await device.confirm('up')
    await device.upload('up')
    expect(redeemed(server)).toEqual([TRAY[0], TRAY[2]])
    expect(await device.unread()).toEqual(['attention'])
    await device.checkSettled()
  })
})

describe('what waits for the connection', () => {
  const [first, second, third] = ['2000000000015', '2000000000022', '2000000000039'] as const
  const take = async (device: TillDevice, serial: string) => {
    await device.ask(serial, 'up')
    await device.confirm('drop')
  }

  it('goes up behind the tap of now, in the order of the taps, also before it has rested long enough', async () => {
    const server = new HoldServer()
    const device = new TillDevice(server)
    for (const serial of [first, second]) {
      await take(device, serial)
      await device.uploadDue('drop')
    }
    // The connection is back with the third tap, which a cashier waits for.
    await take(device, third)
    await device.uploadDue('up')
    expect(server.ledger.map(({ serial }) => serial)).toEqual([third, first, second])
  })

  it('goes up in one request when the connection is back, and its lost answer costs one more and no money', async () => {
    const server = new HoldServer()
    const device = new TillDevice(server)
    for (const serial of [first, second, third]) await take(device, serial)
    await device.uploadDue('drop')
    const before = device.calls
    await device.upload('lose')
    expect(server.ledger.map(({ serial }) => serial)).toEqual([first, second, third])
    await device.upload('up')
    expect(device.calls - before).toBe(2)
    // Redeemed at most once, and "Redeemed" only with the ledger's receipt.
    expect(server.ledger).toHaveLength(3)
    await device.checkSettled()
  })
})

describe('a voucher that another till holds when it is asked for again', () => {
  // An exploration of all states of a hold found this case.
  it('is not held for nobody when the first asking arrives after all, and the voucher is free by then', async () => {
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

  it.each(['lose', 'delay'] as const)('is shown as voided once the server says so (%s)', async (line) => {
    const { server, device } = await takenAndUploaded()
    await device.void(line)
    await device.settle()
    expect(server.ledger).toMatchObject([{ voided: true }])
    await device.checkSettled()
  })

  it('is sent until the server has answered, however far the clock of the device jumps: in its time it is voided', async () => {
    const { server, device } = await takenAndUploaded()
    expect(await device.void('drop')).toEqual({ is: 'no answer' })
    device.setClock(3 * 24 * 60)
    await device.upload('drop')
    await device.upload('up')
    expect(server.ledger).toMatchObject([{ voided: true }])
    await device.checkSettled()
  })

  it('stays redeemed where it came too late, and that is told once and for all', async () => {
    const { server, device } = await takenAndUploaded()
    await device.void('drop')
    server.now += (LIMITS.voidMinutes + 1) * 60_000
    await device.upload('up')
    const before = device.calls
    device.pass(LONGEST_REST_MINUTES)
    await device.upload('up')
    expect(device.calls).toBe(before)
    expect(server.ledger).toMatchObject([{ voided: false }])
    expect(await device.unread(), 'its cashier had gone on').toEqual(['receipted'])
    expect(await device.void('up')).toMatchObject({ is: 'refused', refused: { code: 'VOID_TOO_LATE' } })
    expect(await device.unread(), 'its cashier was told').toEqual([])
    await device.checkSettled()
  })
})

describe('a void at a server that was restored from a backup of before the redemption', () => {
  it('gives back the hold that is there again, and ends as voided', async () => {
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

describe('a void of what the server refused while its question was open', () => {
  it('hides the refusal from nobody', async () => {
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

describe('a void whose page dies while it is sent', () => {
  it.each([
    ['in time, and is voided', 0, ['voided']],
    ['too late, and stays redeemed', LIMITS.voidMinutes + 1, ['receipted']],
  ] as const)('reaches the server %s: somebody hears of its end', async (_, minutes, unread) => {
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

describe('a void of what may not have been redeemed yet', () => {
  it.each([
    ['nothing arrived', 'drop', 'drop'],
    ['the redemption arrived, and its answer was lost', 'lose', 'drop'],
    ['both arrived, and no answer came', 'lose', 'lose'],
    ['the redemption arrives after the cancel', 'delay', 'up'],
  ] as const)('ends as voided where %s, and somebody hears of it', async (_, redeeming, voiding) => {
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
  it('is known here, unless the server says that it was voided since', async () => {
    const server = new HoldServer()
    const device = new TillDevice(server)
    await device.ask(SERIAL, 'up')
    await device.confirm('up')
    await device.upload('up')
    expect((await device.ask(SERIAL, 'up')).is).toBe('known')
    server.ledger[0]!.voided = true
    expect((await device.ask(SERIAL, 'drop')).is, 'without a connection the till’s own memory counts').toBe('known')
    expect((await device.ask(SERIAL, 'up')).is).toBe('held')
  })
})
