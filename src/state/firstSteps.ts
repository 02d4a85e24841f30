import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const KEY = 'first-steps-hidden'
const Hidden = v.array(v.string())

/** Who does not want to see the first steps on the dashboard of this device, by user. */
export const firstSteps = proxy<{ hiddenBy: string[] }>({ hiddenBy: readStored(KEY, Hidden) ?? [] })

onStoredElsewhere(KEY, () => {
  firstSteps.hiddenBy = readStored(KEY, Hidden) ?? []
})

export function hideFirstSteps(user: string, hidden: boolean): void {
  const others = firstSteps.hiddenBy.filter((one) => one !== user)
  firstSteps.hiddenBy = hidden ? [...others, user] : others
  writeStored(KEY, firstSteps.hiddenBy)
}
