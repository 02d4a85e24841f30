import { LIMITS } from '../contract/limits.ts'

export type PasswordRule = 'length' | 'upper' | 'lower' | 'digit' | 'special' | 'not_login_name'

const SHORTEST = 12

/** Characters as people count them: an emoji is one. */
const lengthOf = (password: string) => [...password].length
const sameText = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase()

interface Rule {
  rule: PasswordRule
  /** In the checklist. */
  label: string
  /** At the field once it was refused: the spec's words, or words in its manner. */
  message: string
  isMet: (password: string, loginName: string) => boolean
}

const RULES: Rule[] = [
  {
    rule: 'length',
    label: `${SHORTEST} characters or more`,
    message: `must be at least ${SHORTEST} characters`,
    isMet: (password) => lengthOf(password) >= SHORTEST,
  },
  {
    rule: 'upper',
    label: 'An upper case letter',
    message: 'must have an upper case letter',
    isMet: (password) => /\p{Lu}/u.test(password),
  },
  {
    rule: 'lower',
    label: 'A lower case letter',
    message: 'must have a lower case letter',
    isMet: (password) => /\p{Ll}/u.test(password),
  },
  { rule: 'digit', label: 'A digit', message: 'must have a digit', isMet: (password) => /\p{Nd}/u.test(password) },
  {
    rule: 'special',
    label: 'A special character',
    message: 'must have a special character',
    isMet: (password) => /[^\p{L}\p{Nd}\s]/u.test(password),
  },
  {
    rule: 'not_login_name',
    label: 'Not the e-mail address',
    message: 'must not be the email address',
    isMet: (password, loginName) => loginName === '' || !sameText(password, loginName),
  },
]

/** A POS user signs in with a name of its own. */
const isUsername = (loginName: string) => loginName !== '' && !loginName.includes('@')
const NOT_USERNAME = { label: 'Not the username', message: 'must not be the username' }

/**
 * The rules of spec §5 that need nothing but the password and the login name, in the order of the checklist. The server adds
 * two that need its memory: not one of the last three, not a common one.
 */
export const passwordRules = (password: string, loginName: string) =>
  RULES.map(({ rule, isMet, ...words }) => {
    const said = rule === 'not_login_name' && isUsername(loginName) ? NOT_USERNAME : words
    return { rule, label: said.label, message: said.message, met: isMet(password, loginName) }
  })

export const isTooLong = (password: string): boolean => lengthOf(password) > LIMITS.passwordLength
