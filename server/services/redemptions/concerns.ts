import { LIMITS } from '../../../src/contract/limits.ts'
import type { Concern } from '../../../src/contract/redemptions/losses.ts'
import { isMainAccount } from '../../../src/domain/accounts/permissions.ts'
import {
  LIMIT_REACHED,
  REFUSED_AT_TILLS,
  SAME_VOUCHER,
  SERIALS_IN_A_ROW,
  type Place,
} from '../../db/redemptions/concerns.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'

const DAY_MS = 86_400_000

/** Days on end that a limit has to be reached to be worth a look, of this many. */
const LIMIT_DAYS = 7

/** What the tills of the actor's organisation accepted and that somebody should look at. Throws Refusal FORBIDDEN for anyone but a main account. */
export async function readConcerns(deps: Deps, actor: Actor): Promise<{ concerns: Concern[] }> {
  if (!isMainAccount(actor.type)) throw new Refusal('FORBIDDEN')
  const found = await findConcerns({ ...deps, database: deps.database.portal() }, actor.organisation.id)
  return { concerns: found.map(({ concern }) => concern) }
}

/** The same with the names of the merchants; of all of them where no organisation is named. The newest first. */
export async function findConcerns(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  organisationId: string | null,
): Promise<{ concern: Concern; merchants: string[] }[]> {
  const now = clock.now().getTime()
  const values: [string | null, Date] = [organisationId, new Date(now - LIMITS.noticeDays * DAY_MS)]
  const same = await database.run(SAME_VOUCHER, values)
  const runs = await database.run(SERIALS_IN_A_ROW, values)
  const limits = await database.run(LIMIT_REACHED, [organisationId, new Date(now - LIMIT_DAYS * DAY_MS)])
  const refused = await database.run(REFUSED_AT_TILLS, values)
  const found: { concern: Concern; merchants: string[] }[] = [
    ...same.map(({ tills, at, ...facts }) => {
      const places = JSON.parse(tills) as Place[]
      const concern = { kind: 'same voucher' as const, ...facts, ...atOf(at), tills: places.map(placeOf) }
      return { concern, merchants: [...new Set(places.map(({ merchant }) => merchant))] }
    }),
    ...runs.map(({ count, cents, first, last, at, ...place }) => ({
      concern: { kind: 'serials in a row' as const, ...placeOf(place), count, cents, first, last, ...atOf(at) },
      merchants: [place.merchant],
    })),
    ...limits.map(({ count, at, ...place }) => ({
      concern: { kind: 'limit reached' as const, ...placeOf(place), days: count, ...atOf(at) },
      merchants: [place.merchant],
    })),
    ...refused.map(({ count, cents, at, ...place }) => ({
      concern: { kind: 'to review' as const, ...placeOf(place), count, cents, ...atOf(at) },
      merchants: [place.merchant],
    })),
  ]
  return found.toSorted((one, other) => other.concern.at.localeCompare(one.concern.at))
}

const placeOf = ({ branch, till }: Pick<Place, 'branch' | 'till'>) => ({ branch_name: branch, till })

const atOf = (at: Date) => ({ at: at.toISOString() })
