import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_CENTS, HoldServer } from '../../../tests/support/redemptions/HoldServer.ts'
import { TillDevice } from '../../../tests/support/redemptions/TillDevice.ts'
import { singaporeDay } from '../../domain/singaporeTime.ts'

/**
 * Three devices at one counter, six vouchers that somebody has copied, and a connection that drops, loses answers, repeats and delays
 * what was sent; devices that crash or are destroyed, clocks that jump, a merchant who releases holds. `PROPERTY_RUNS` raises the number of walks.
 */
const DEVICES = 3
const SERIALS = ['2000000000015', '2000000000022', '2000000000039', '2000000000046', '2000000000053', '2000000000060']
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 150)

/** They are longer. */
const OUTAGE_RUNS = Math.ceil(RUNS / 5)

const device = fc.integer({ min: 0, max: DEVICES - 1 })
const serial = fc.constantFrom(...SERIALS)
const line = fc.constantFrom('up', 'up', 'up', 'drop', 'lose', 'repeat', 'delay')
const often = <T>(arbitrary: fc.Arbitrary<T>) => ({ weight: 4, arbitrary })
const accept = fc.record({ do: fc.constant('accept' as const), device, serial })
const askAllowance = fc.record({ do: fc.constant('ask allowance' as const), device, line })
const upload = fc.record({ do: fc.constant('upload' as const), device, line })
const destroy = fc.record({ do: fc.constant('destroy' as const), device })

const step = fc.oneof(
  often(fc.record({ do: fc.constant('ask' as const), device, serial, line })),
  often(fc.record({ do: fc.constant('confirm' as const), device, line, most: fc.constantFrom(1, 2, 15) })),
  fc.record({ do: fc.constant('cancel' as const), device }),
  fc.record({ do: fc.constant('void' as const), device, line }),
  upload,
  fc.record({ do: fc.constant('crash' as const), device }),
  fc.record({ do: fc.constant('reload' as const), device }),
  fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 6, 11, 60, 60 * 25) }),
  fc.record({ do: fc.constant('sleep' as const), device, minutes: fc.constantFrom(2, 11) }),
  fc.record({ do: fc.constant('set clock' as const), device, minutes: fc.constantFrom(-30, -1, 5, 600) }),
  fc.record({ do: fc.constant('release' as const), serial }),
)

/** A day without a connection for hours, at tills that may accept what they cannot check. */
const outageStep = fc.oneof(
  { weight: 8, arbitrary: accept },
  often(askAllowance),
  { weight: 2, arbitrary: upload },
  step,
  destroy,
  fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 30, 60 * 25) }),
)

async function walk(steps: readonly Step[]) {
  const server = new HoldServer()
  const devices = Array.from({ length: DEVICES }, () => new TillDevice(server))
  const destroyed: TillDevice[] = []
  for (const one of steps) {
    if (one.do === 'destroy') destroyed.push(...devices.splice(one.device, 1, new TillDevice(server)))
    else await carryOut(one, server, devices)
    for (const each of devices) await each.check()
  }
  return { server, devices, everyDevice: [...devices, ...destroyed] }
}

type Step = typeof outageStep extends fc.Arbitrary<infer S> ? S : never

async function carryOut(one: Exclude<Step, { do: 'destroy' }>, server: HoldServer, devices: TillDevice[]) {
  if (one.do === 'wait') {
    server.now += one.minutes * 60_000
    for (const each of devices) {
      each.pass(one.minutes)
      await each.look()
    }
    return
  }
  if (one.do === 'release') return server.release(one.serial)
  const at = devices[one.device]!
  switch (one.do) {
    case 'ask':
      return at.ask(one.serial, one.line)
    case 'confirm':
      return at.confirm(one.line, one.most)
    case 'accept':
      return at.accept(one.serial)
    case 'ask allowance':
      return at.askAllowance(one.line)
    case 'cancel':
      return at.cancel()
    case 'void':
      return at.void(one.line)
    case 'upload':
      return at.upload(one.line)
    case 'crash':
      return at.crash()
    case 'reload':
      return at.reload()
    case 'sleep':
      server.now += one.minutes * 60_000
      for (const each of devices)
        if (each === at) each.sleep(one.minutes)
        else each.pass(one.minutes)
      return
    case 'set clock':
      return at.setClock(one.minutes)
  }
}

/** Whatever became of the tablets. */
function acceptedByDay(devices: readonly TillDevice[]): [day: string, cents: number][] {
  const sums = new Map<string, number>()
  for (const { at, cents } of devices.flatMap(({ accepted }) => [...accepted.values()])) {
    const day = singaporeDay(new Date(at))
    sums.set(day, (sums.get(day) ?? 0) + cents)
  }
  return [...sums]
}

describe('three tills, whatever the connection and the people do', () => {
  it('never say Redeemed without a receipt or a hold, lose nothing queued, and show every refused upload', async () => {
    const steps = fc.array(step, { minLength: 5, maxLength: 40 })
    const property = fc.asyncProperty(steps, async (walked) => void (await holds(walked)))
    await expect(fc.assert(property, { numRuns: RUNS })).resolves.toBeUndefined()
  })

  it('accept no more without a check than their branch allows in a day, whatever is lost, late, copied or destroyed', async () => {
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(fc.array(outageStep, { minLength: 20, maxLength: 60 }), async (steps) => {
        const everyDevice = await holds(steps)
        accepted += everyDevice.reduce((sum, device) => sum + device.accepted.size, 0)
      }),
      { numRuns: OUTAGE_RUNS },
    )
    expect(accepted, 'accepted at all').toBeGreaterThan(OUTAGE_RUNS)
  })
})

async function holds(steps: readonly Step[]): Promise<TillDevice[]> {
  const { server, devices, everyDevice } = await walk(steps)
  for (const each of devices) await each.settle()
  if (everyDevice.some(({ accepted }) => accepted.size > 0)) {
    // Another till may have held it until now; a tablet that was destroyed holds it for its 24 hours.
    const minutes = everyDevice.length > devices.length ? 60 * 25 : 6
    await carryOut({ do: 'wait', minutes }, server, devices)
    for (const each of devices) await each.settle()
  }
  for (const each of devices) await each.checkSettled()
  for (const number of SERIALS) {
    const live = server.ledger.filter((entry) => entry.serial === number && !entry.voided)
    expect(live.length, `live redemptions of ${number}`).toBeLessThanOrEqual(1)
  }
  // Whatever is on the ledger was taken by somebody, under the hold of that very device or at its shop's risk.
  for (const { id } of server.ledger) {
    expect(everyDevice.filter((each) => each.confirmed.has(id) || each.accepted.has(id))).toHaveLength(1)
  }
  expect(acceptedByDay(everyDevice).filter(([, cents]) => cents > DAY_CENTS)).toEqual([])
  return everyDevice
}
