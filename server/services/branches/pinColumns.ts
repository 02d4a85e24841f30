import { isWeakPin } from '../../../src/domain/branches.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { hashPassword } from '../accounts/passwords/passwordHash.ts'

/** A PIN as it is kept: hashed like a password (cases VCH-09), and flagged when anybody would try it first. */
export const pinColumns = async (pin: string, actor: Actor, now: Date) => ({
  pinHash: await hashPassword(pin),
  ...pinFacts(pin, actor, now),
})

/** What is kept beside the hash. */
export const pinFacts = (pin: string, { organisation }: Actor, now: Date) => ({
  pinWeak: isWeakPin(pin, organisation.merchantId),
  pinSetAt: now,
})
