import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { makeStaff } from '../../support/redemptions/testStaff.ts'
import { it, server } from '../../support/server/serverTest.ts'
import { exploreHolds } from './hold-states/exploreHolds.ts'
import { HoldMachine } from './hold-states/HoldMachine.ts'
import { ServerMachine } from './hold-states/ServerMachine.ts'
import { TillMachine } from './hold-states/TillMachine.ts'

/** In docs/SIMULATION.md: another number says that the rules are others. */
const WRITTEN = /\*\*([\d,]+) states and ([\d,]+) steps\*\*/

it(
  'no state of one voucher at two tills breaks a promise, and each comes to rest by itself',
  { timeout: 180_000 },
  async () => {
    const till = new TillMachine()
    try {
      const { states, steps } = await exploreHolds(
        new HoldMachine(new ServerMachine(server, await makeStaff(server)), till),
      )
      const [, ...written] = WRITTEN.exec(readFileSync('docs/SIMULATION.md', 'utf8')) ?? []
      expect([states, steps].map((count) => count.toLocaleString('en'))).toEqual(written)
    } finally {
      till.close()
    }
  },
)
