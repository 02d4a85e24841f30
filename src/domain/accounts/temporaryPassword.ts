import { passwordRules } from './passwords.ts'

/** A password is read aloud and typed at a counter, so there are no look-alikes such as 1 and l. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'
const GROUPS = 4
const GROUP = 4

/**
 * A password that meets every rule, such as `hK7m-Qw2p-xRtb-9dFz`: 92 bits. `randomBelow` gives a whole number from 0 on that nobody
 * can foresee.
 */
export function temporaryPassword(randomBelow: (limit: number) => number): string {
  const group = () => Array.from({ length: GROUP }, () => SIGNS[randomBelow(SIGNS.length)]).join('')
  for (;;) {
    const password = Array.from({ length: GROUPS }, group).join('-')
    if (passwordRules(password, '').every(({ met }) => met)) return password
  }
}
