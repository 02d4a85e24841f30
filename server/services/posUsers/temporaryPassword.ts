import { randomInt } from 'node:crypto'
import { passwordRules } from '../../../src/domain/passwordRules.ts'

/** Read aloud and typed at a counter: nothing that looks like something else. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'
const GROUPS = 4
const GROUP = 4

const group = () => Array.from({ length: GROUP }, () => SIGNS[randomInt(SIGNS.length)]).join('')

/** A password that meets every rule, such as `hK7m-Qw2p-xRtb-9dFz`: 92 bits. */
export function temporaryPassword(): string {
  for (;;) {
    const password = Array.from({ length: GROUPS }, group).join('-')
    if (passwordRules(password, '').every(({ met }) => met)) return password
  }
}
