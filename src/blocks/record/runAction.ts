import { ApiError } from '../../api/ApiError.ts'
import { type Confirmation, confirm } from '../../state/dialogs.ts'
import { showToast } from '../../state/toasts.ts'
import { waitText } from '../../ui/waitText.ts'

interface ActionToRun<T> {
  /** Asked before anything is lost or mailed; left out where the act loses nothing. */
  question?: Confirmation
  run: () => Promise<T>
  /** In the past tense, with whom it fell on: "Tampines Central deactivated". */
  done: string
  /** Says a refusal in its own way, a dialog for a limit; `true` if it did. */
  refused?: (error: ApiError) => boolean | Promise<boolean>
}

/** Asks, acts once, and says how it went. Gives what the server answered, or undefined if nothing was changed. */
export async function runAction<T>({ question, run, done, refused }: ActionToRun<T>): Promise<T | undefined> {
  if (question && !(await confirm(question))) return undefined
  try {
    const answer = await run()
    showToast({ tone: 'success', text: done })
    return answer
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (!(await refused?.(error))) showToast({ tone: 'danger', text: failureText(error) })
    return undefined
  }
}

/** A lost answer is no refusal: the list that is read again says what became of it. */
export function failureText(error: ApiError): string {
  if (error.isLineFault) return `${error.statusMessage} It is not known whether the change was made.`
  if (error.retryAfterSeconds === undefined) return error.statusMessage
  return `${error.statusMessage} Try again in ${waitText(error.retryAfterSeconds)}.`
}
