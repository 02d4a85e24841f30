import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { RescueKey } from '../contract/redemptions/rescue.ts'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const KEYS = 'rescue-keys'

const RescueKeys = v.record(v.string(), RescueKey)

/**
 * To which this device seals its rescue copies, by organisation; none until a cashier of it was online here. Of the device, whoever is
 * logged in: a public key is no secret.
 */
export const rescueKeys = proxy<Record<string, RescueKey>>(readStored(KEYS, RescueKeys) ?? {})

onStoredElsewhere(KEYS, () => Object.assign(rescueKeys, readStored(KEYS, RescueKeys)))

export function keepRescueKey(organisation: string, key: RescueKey): void {
  rescueKeys[organisation] = key
  writeStored(KEYS, rescueKeys)
}
