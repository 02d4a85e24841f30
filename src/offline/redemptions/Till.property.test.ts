import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HoldServer } from '../../../tests/support/redemptions/HoldServer.ts'
import { TillDevice } from '../../../tests/support/redemptions/TillDevice.ts'

/**
 * Three devices at one counter, four vouchers, and a connection that drops, loses answers, repeats and delays what was sent; devices
 * that crash, clocks that jump, a merchant who releases holds. `PROPERTY_RUNS` raises the number of walks.
 */
const DEVICES = 3
const SERIALS = ['2000000000015', '2000000000022', '2000000000039', '2000000000046']
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 150)

const device = fc.integer({ min: 0, max: DEVICES - 1 })
const serial = fc.constantFrom(...SERIALS)
const line = fc.constantFrom('up', 'up', 'up', 'drop', 'lose', 'repeat', 'delay')
const often = <T>(arbitrary: fc.Arbitrary<T>) => ({ weight: 4, arbitrary })
const step = fc.oneof(
  often(fc.record({ do: fc.constant('ask' as const), device, serial, line })),
  often(fc.record({ do: fc.constant('confirm' as const), device, line })),
  fc.record({ do: fc.constant('cancel' as const), device }),
  fc.record({ do: fc.constant('void' as const), device, line }),
  fc.record({ do: fc.constant('upload' as const), device, line }),
  fc.record({ do: fc.constant('crash' as const), device }),
  fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 6, 11, 60, 60 * 25) }),
  fc.record({ do: fc.constant('sleep' as const), device, minutes: fc.constantFrom(2, 11) }),
  fc.record({ do: fc.constant('set clock' as const), device, minutes: fc.constantFrom(-30, -1, 5, 600) }),
  fc.record({ do: fc.constant('release' as const), serial }),
)

async function walk(steps: readonly Step[]) {
  const server = new HoldServer()
  const devices = Array.from({ length: DEVICES }, () => new TillDevice(server))
  for (const one of steps) {
    await carryOut(one, server, devices)
    for (const each of devices) await each.check()
  }
  return { server, devices }
}

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

async function carryOut(one: Step, server: HoldServer, devices: TillDevice[]) {
  if (one.do === 'wait') {
    server.now += one.minutes * 60_000
    for (const each of devices) each.pass(one.minutes)
    return
  }
  if (one.do === 'release') return server.release(one.serial)
  const at = devices[one.device]!
  switch (one.do) {
    case 'ask':
      return at.ask(one.serial, one.line)
    case 'confirm':
      return at.confirm(one.line)
    case 'cancel':
      return at.cancel()
    case 'void':
      return at.void(one.line)
    case 'upload':
      return at.upload(one.line)
    case 'crash':
      return at.crash()
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

describe('three tills, whatever the connection and the people do', () => {
  it('never say Redeemed without a receipt or a hold, lose nothing queued, and show every refused upload', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const { server, devices } = await walk(steps)
        for (const each of devices) await each.settle()
        for (const each of devices) await each.checkSettled()
        for (const number of SERIALS) {
          const live = server.ledger.filter((entry) => entry.serial === number && !entry.voided)
          expect(live.length, `live redemptions of ${number}`).toBeLessThanOrEqual(1)
        }
        // Whatever is on the ledger was confirmed by somebody, under the hold of that very device.
        for (const entry of server.ledger) {
          expect(devices.filter(({ confirmed }) => confirmed.has(entry.id))).toHaveLength(1)
        }
      }),
      { numRuns: RUNS },
    )
  })
})
