import * as v from 'valibot'
import { PASSWORD_LENGTH } from '../../contract/accounts/loginForms.ts'
import { username } from '../../contract/fieldSchemas.ts'
import { MESSAGES } from '../../contract/wireFields.ts'

/**
 * A new password as a form checks it, by the same rules as the server: one message at a time, in the order of the checklist. `loginName` is empty if
 * the owner of the password is not known yet.
 */
const newPassword = (loginName: string) =>
  v.pipe(
    v.string(),
    v.nonEmpty(MESSAGES.required),
    v.check((password) => !isTooLong(password), MESSAGES.max(PASSWORD_LENGTH)),
    v.rawCheck(({ dataset, addIssue }) => {
      const broken = dataset.typed && passwordRules(dataset.value, loginName).find(({ met }) => !met)
      if (broken) addIssue({ message: broken.message })
    }),
  )

interface PasswordPair {
  new_password: string
  repeat_password: string
}

const isRepeated = (typed: PasswordPair) => typed.new_password === typed.repeat_password

const repeatedPassword = v.pipe(v.string(), v.nonEmpty(MESSAGES.required))

const typedTwice = (loginName: string) => ({ new_password: newPassword(loginName), repeat_password: repeatedPassword })

/** The form for a new password, typed twice, without the current one: by mailed link, or in answer to NEW_PASSWORD. */
export const newPasswordForm = (loginName: string) =>
  v.pipe(
    v.object(typedTwice(loginName)),
    v.forward(
      v.check((typed) => isRepeated(typed), MESSAGES.passwordMismatch),
      ['repeat_password'],
    ),
  )

/** The same with a username, for a new POS user. */
export const newPosUserForm = (loginName: string) =>
  v.pipe(
    v.object({ username, ...typedTwice(loginName) }),
    v.forward(
      v.check((typed) => isRepeated(typed), MESSAGES.passwordMismatch),
      ['repeat_password'],
    ),
  )

/** The form to change one's own password. Only the server compares the current one. */
export const changePasswordForm = (loginName: string) =>
  v.pipe(
    v.object({
      current_password: v.pipe(
        v.string(),
        v.nonEmpty(MESSAGES.required),
        v.check((password) => !isTooLong(password), MESSAGES.max(PASSWORD_LENGTH)),
      ),
      ...typedTwice(loginName),
    }),
    v.forward(
      v.check((typed) => isRepeated(typed), MESSAGES.passwordMismatch),
      ['repeat_password'],
    ),
  )

type PasswordRule = 'length' | 'upper' | 'lower' | 'digit' | 'special' | 'not_login_name'

const SHORTEST = 12

/** Counts characters as people do: an emoji is one. */
const lengthOf = (password: string) => [...password].length

const sameText = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase()

interface Rule {
  rule: PasswordRule
  /** The text in the checklist. */
  label: string
  /** The text at the field after a refusal. */
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
    label: 'Not the email address',
    message: 'must not be the email address',
    isMet: (password, loginName) => loginName === '' || !sameText(password, loginName),
  },
]

/** A POS user logs in with a username instead of an email address. */
const isUsername = (loginName: string) => loginName !== '' && !loginName.includes('@')

const NOT_USERNAME = { label: 'Not the username', message: 'must not be the username' }

/**
 * The parts of rule 3.4 that depend only on the password and the login name, in the order of the checklist. The server adds two rules that need its
 * data: not one of the last three passwords, and not a common one.
 */
export const passwordRules = (password: string, loginName: string) =>
  RULES.map(({ rule, isMet, ...words }) => {
    const texts = rule === 'not_login_name' && isUsername(loginName) ? NOT_USERNAME : words
    return { rule, label: texts.label, message: texts.message, met: isMet(password, loginName) }
  })

export const isTooLong = (password: string): boolean => lengthOf(password) > PASSWORD_LENGTH

/**
 * The rules for password managers that read `passwordrules`. The only special character is the hyphen: their "special" includes the space, which does
 * not count here, and the password may have to be typed on a till.
 */
export const GENERATOR_RULES = `minlength: ${SHORTEST}; maxlength: ${PASSWORD_LENGTH}; required: lower; required: upper; required: digit; required: [-]`

/** The characters of a generated password. It is read aloud and typed at a counter, so there are no look-alikes such as 1 and l. */
const CHARACTERS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'
const GROUPS = 4
const GROUP_LENGTH = 4

/**
 * Returns a password that meets every rule, such as `hK7m-Qw2p-xRtb-9dFz`: 92 bits. `randomBelow` returns an unpredictable whole number, at least 0
 * and below its limit.
 */
export function temporaryPassword(randomBelow: (limit: number) => number): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => CHARACTERS[randomBelow(CHARACTERS.length)]).join('')
  for (;;) {
    const password = Array.from({ length: GROUPS }, group).join('-')
    if (passwordRules(password, '').every(({ met }) => met)) return password
  }
}
