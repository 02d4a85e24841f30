import { useEffect, useEffectEvent, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { useUser } from '../../../blocks/accounts/useUser.ts'
import { useReadiness } from '../../../blocks/devices/Readiness.tsx'
import {
  automaticOutcomes,
  PERSON_CHECKS,
  type CheckOutcome,
  type PersonCheck,
  type ShiftFacts,
  type ShiftOutcomes,
} from '../../../domain/devices/shiftCheck.ts'
import { connectivity } from '../../../offline/connectivity/connectivity.ts'
import { checkConnectivity } from '../../../offline/connectivity/watchConnectivity.ts'
import { unsent } from '../../../offline/storage/storageHealth.ts'
import { checkForUpdate } from '../../../offline/update/appUpdate.ts'
import { storeShiftCheck } from '../../../state/shiftCheck.ts'

/** What came of the two looks that take a while. */
interface Looks {
  connection?: true
  update?: ShiftFacts['update']
}

type Stage = { at: 'start' } | { at: 'automatic' } | { at: 'person'; check: PersonCheck } | { at: 'done' }

interface ShiftCheckRun {
  stage: Stage
  /** What is known so far. */
  outcomes: Partial<ShiftOutcomes>
  start: () => void
  /** What came of the check that a person is asked for now. */
  answer: (outcome: CheckOutcome) => void
}

/** A new version may be long in coming; the shift does not wait for it. */
const UPDATE_WITHIN_MS = 20_000

/** One check of this till: first what the device finds out by itself, then what only a person knows. Stored once it is whole. */
export function useShiftCheck(): ShiftCheckRun {
  const { login_name } = useUser()
  const [stage, setStage] = useState<Stage>({ at: 'start' })
  const [looks, setLooks] = useState<Looks>({})
  const [outcomes, setOutcomes] = useState<Partial<ShiftOutcomes>>({})
  const found = useAutomaticOutcomes(looks)
  const isFound = stage.at === 'automatic' && found.connection !== undefined && found.update !== undefined
  const goOn = useEffectEvent(() => {
    setOutcomes(found)
    setStage({ at: 'person', check: PERSON_CHECKS[0] })
  })
  useEffect(() => {
    if (isFound) goOn()
  }, [isFound])

  const start = () => {
    setLooks({})
    setStage({ at: 'automatic' })
    void checkConnectivity().then(() => setLooks((now) => ({ ...now, connection: true })))
    void lookForUpdate().then((update) => setLooks((now) => ({ ...now, update })))
  }
  const answer = (outcome: CheckOutcome) => {
    if (stage.at !== 'person') return
    const all = { ...outcomes, [stage.check]: outcome }
    setOutcomes(all)
    const next = PERSON_CHECKS[PERSON_CHECKS.indexOf(stage.check) + 1]
    if (next) return setStage({ at: 'person', check: next })
    storeShiftCheck({ at: Date.now(), by: login_name, outcomes: all as ShiftOutcomes })
    setStage({ at: 'done' })
  }
  return { stage, outcomes: SHOWN[stage.at]({ found, outcomes }), start, answer }
}

type Known = Record<'found' | 'outcomes', Partial<ShiftOutcomes>>

/** What a person is being asked beside must not change any more. */
const SHOWN: Record<Stage['at'], (known: Known) => Partial<ShiftOutcomes>> = {
  start: () => ({}),
  automatic: ({ found }) => found,
  person: ({ outcomes }) => outcomes,
  done: ({ outcomes }) => outcomes,
}

const lookForUpdate = () =>
  Promise.race([
    checkForUpdate(),
    new Promise<'unreachable'>((resolve) => setTimeout(() => resolve('unreachable'), UPDATE_WITHIN_MS)),
  ])

/** Without those that are not known yet. */
function useAutomaticOutcomes({ connection: isKnown, update }: Looks): Partial<ShiftOutcomes> {
  const lacks = useReadiness(useUser())
  const { verdict, captive } = useSnapshot(connectivity)
  const { count, cents } = useSnapshot(unsent)
  if (!lacks) return {}
  const facts = { lacks, connection: { verdict, captive }, unsent: { count, cents } }
  const { connection, update: found, ...others } = automaticOutcomes({ ...facts, update: update ?? 'unreachable' })
  // What became of the look for an update depends on the connection.
  return { ...others, ...(isKnown && { connection, ...(update && { update: found }) }) }
}
