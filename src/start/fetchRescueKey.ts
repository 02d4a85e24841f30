import { call } from '../api/call.ts'
import { readRescueKey } from '../contract/redemptions/rescue.ts'
import { keepRescueKey } from '../state/rescue.ts'

/** Loaded for cashiers alone, after what the counter needs: a till has the key before it needs one (decision 0080). */
export const fetchRescueKey = async (organisation: string): Promise<void> =>
  keepRescueKey(organisation, await call(readRescueKey))
