import * as v from 'valibot'
import { MESSAGES } from '../../contract/fieldSchemas.ts'
import { LIMITS } from '../../contract/limits.ts'
import { isTooLong, passwordRules } from '../passwordRules.ts'

/**
 * A new password as a form checks it, by the same rules as the server: one message at a time, in the order of the checklist.
 * `loginName` is empty where nobody knows yet whose password it is.
 */
export const newPassword = (loginName: string) =>
  v.pipe(
    v.string(),
    v.nonEmpty(MESSAGES.required),
    v.check((password) => !isTooLong(password), MESSAGES.max(LIMITS.passwordLength)),
    v.rawCheck(({ dataset, addIssue }) => {
      const broken = dataset.typed && passwordRules(dataset.value, loginName).find(({ met }) => !met)
      if (broken) addIssue({ message: broken.message })
    }),
  )

interface Repeated {
  new_password: string
  repeat_password: string
}

const isRepeated = (typed: Repeated) => typed.new_password === typed.repeat_password
const again = v.pipe(v.string(), v.nonEmpty(MESSAGES.required))

/** A password typed twice, where the one before is not asked: by mailed link, or in answer to NEW_PASSWORD. */
export const newPasswordForm = (loginName: string) =>
  v.pipe(
    v.object({ new_password: newPassword(loginName), repeat_password: again }),
    v.forward(
      v.check((typed) => isRepeated(typed), MESSAGES.passwordMismatch),
      ['repeat_password'],
    ),
  )

/** A change of one's own password; the present one is only ever compared by the server. */
export const changePasswordForm = (loginName: string) =>
  v.pipe(
    v.object({
      current_password: v.pipe(
        v.string(),
        v.nonEmpty(MESSAGES.required),
        v.check((password) => !isTooLong(password), MESSAGES.max(LIMITS.passwordLength)),
      ),
      new_password: newPassword(loginName),
      repeat_password: again,
    }),
    v.forward(
      v.check((typed) => isRepeated(typed), MESSAGES.passwordMismatch),
      ['repeat_password'],
    ),
  )
