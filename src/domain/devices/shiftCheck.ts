import * as v from 'valibot'
import { isDown, type ConnectivityVerdict } from '../connectivity.ts'
import { ReadinessProblem } from './readiness.ts'

/** What the device finds out by itself. */
export const AUTOMATIC_CHECKS = ['connection', 'clock', 'storage', 'lists', 'uploads', 'update'] as const

/** What only a person sees, hears or holds, in the order in which they are asked. The printed page has the code to scan. */
export const PERSON_CHECKS = ['camera', 'sound', 'printer', 'scanner'] as const

export const SHIFT_CHECKS = [...AUTOMATIC_CHECKS, ...PERSON_CHECKS] as const

export type AutomaticCheck = (typeof AUTOMATIC_CHECKS)[number]
export type PersonCheck = (typeof PERSON_CHECKS)[number]
export type ShiftCheckName = (typeof SHIFT_CHECKS)[number]

/** What a scanner is tried with: a good EAN-13 that is never a voucher, whose numbers begin with 2. */
export const TEST_CODE = '9990000000012'

/**
 * Why there is no picture. `denied`: by the person or the browser. `missing`: no camera. `busy`: another app uses it.
 * `lost`: it stopped while it was on. `unreadable`: there is a picture, and nothing to read it with.
 * `hidden`: the browser hides what is in it.
 */
const CAMERA_FAILURES = ['denied', 'missing', 'busy', 'lost', 'unreadable', 'hidden'] as const

export type CameraFailure = (typeof CAMERA_FAILURES)[number]

/** What is wrong: what the device lacks for working offline, or what only this check knows. */
const ShiftProblem = v.variant('is', [
  ReadinessProblem,
  v.object({ is: v.literal('connection'), verdict: v.picklist(['unreachable', 'offline']), captive: v.boolean() }),
  v.object({ is: v.literal('uploads'), count: v.number(), cents: v.number() }),
  v.object({ is: v.literal('camera failed'), failure: v.picklist(CAMERA_FAILURES) }),
  v.object({
    is: v.picklist(['update unknown', 'no picture', 'not heard', 'not printed', 'not scanned', 'scanned otherwise']),
  }),
])

export type ShiftProblem = v.InferOutput<typeof ShiftProblem>

const CheckOutcome = v.variant('is', [
  v.object({ is: v.literal('passed') }),
  v.object({ is: v.literal('failed'), why: ShiftProblem }),
  /** `not here`: this till has none. Else what has to work first. */
  v.object({ is: v.literal('skipped'), why: v.picklist(['not here', 'connection', 'storage']) }),
])

export type CheckOutcome = v.InferOutput<typeof CheckOutcome>

/** One whole check. `at`: milliseconds of this device's clock; `by`: the username of who made it. Nothing of a customer. */
export const ShiftCheck = v.object({
  at: v.number(),
  by: v.string(),
  outcomes: v.object({
    connection: CheckOutcome,
    clock: CheckOutcome,
    storage: CheckOutcome,
    lists: CheckOutcome,
    uploads: CheckOutcome,
    update: CheckOutcome,
    camera: CheckOutcome,
    sound: CheckOutcome,
    printer: CheckOutcome,
    scanner: CheckOutcome,
  }),
})

export type ShiftCheck = v.InferOutput<typeof ShiftCheck>

export type ShiftOutcomes = ShiftCheck['outcomes']

/** What the device knows at the moment of the check. */
export interface ShiftFacts {
  lacks: readonly ReadinessProblem[]
  connection: { verdict: ConnectivityVerdict; captive: boolean }
  unsent: { count: number; cents: number }
  /** What came of a look for a newer version. */
  update: 'current' | 'available' | 'unreachable'
}

export const PASSED = { is: 'passed' } as const
export const NOT_HERE = { is: 'skipped', why: 'not here' } as const
export const failed = (why: ShiftProblem): CheckOutcome => ({ is: 'failed', why })

/** What the device finds out by itself. A slow connection serves all the same. */
export function automaticOutcomes(facts: ShiftFacts): Pick<ShiftOutcomes, AutomaticCheck> {
  const { unsent, lacks } = facts
  const lacking = (...kinds: ReadinessProblem['is'][]) => lacks.find(({ is }) => kinds.includes(is))
  const outcomeOf = (lack: ReadinessProblem | undefined) => (lack ? failed(lack) : PASSED)
  // Most browsers never promise to keep what is stored. It matters only while money is stored here alone.
  const unprotected = unsent.count > 0 ? lacking('persistence') : undefined
  return {
    connection: connectionOutcome(facts.connection),
    clock: outcomeOf(lacking('clock')),
    storage: outcomeOf(lacking('storage', 'full', 'shell') ?? unprotected),
    lists: lacking('storage')
      ? { is: 'skipped', why: 'storage' }
      : outcomeOf(lacking('lists missing') ?? lacking('lists old')),
    uploads: unsent.count > 0 ? failed({ is: 'uploads', ...unsent }) : PASSED,
    update: updateOutcome(facts),
  }
}

function connectionOutcome({ verdict, captive }: ShiftFacts['connection']): CheckOutcome {
  if (verdict === 'online' || verdict === 'slow') return PASSED
  return failed({ is: 'connection', verdict, captive })
}

function updateOutcome({ lacks, connection, update }: ShiftFacts): CheckOutcome {
  if (update === 'available' || lacks.some(({ is }) => is === 'update')) return failed({ is: 'update' })
  if (update === 'current') return PASSED
  return isDown(connection.verdict) ? { is: 'skipped', why: 'connection' } : failed({ is: 'update unknown' })
}

export interface FailedCheck {
  name: ShiftCheckName
  why: ShiftProblem
}

/** What has to be put right before the shift, in the order of the checks; nothing when all is good. */
export const failedChecks = (outcomes: ShiftOutcomes): FailedCheck[] =>
  SHIFT_CHECKS.flatMap((name) => {
    const outcome = outcomes[name]
    return outcome.is === 'failed' ? [{ name, why: outcome.why }] : []
  })
