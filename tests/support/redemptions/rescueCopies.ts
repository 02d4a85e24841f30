import { randomUUID } from 'node:crypto'
import type { Deps } from '../../../server/Deps.ts'
import { readRescueKey } from '../../../server/services/redemptions/rescueCopies.ts'
import type { RescueCopy } from '../../../src/contract/redemptions/rescue.ts'
import { sealRescueCopy } from '../../../src/offline/redemptions/rescueCopy.ts'
import type { Organisation } from '../database/builders.ts'

/** A rescue copy as a till of this organisation makes it. */
export async function sealedFor(
  deps: Deps,
  { id }: Pick<Organisation, 'id'>,
  { till = { id: randomUUID(), name: 'Till 2' }, ...given }: Partial<RescueCopy> & Pick<RescueCopy, 'redemptions'>,
): Promise<string> {
  const key = await readRescueKey(deps, { organisation: { id } })
  return sealRescueCopy(key, { till, made_at: deps.clock.now().toISOString(), ...given })
}
