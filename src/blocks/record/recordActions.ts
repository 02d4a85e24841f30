import * as v from 'valibot'
import { ApiError } from '../../api/ApiError.ts'
import { InUse } from '../../contract/tables/resourceEndpoints.ts'
import { confirm, type Confirmation } from '../../state/dialogs.ts'
import { closeToast, showToast } from '../../state/toasts.ts'
import { waitText } from '../../ui/form/formErrors.ts'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'

/** A record with its own login: a branch, a master or a POS user. */
interface LoginRecord {
  noun: 'branch' | 'master' | 'POS user'
  name: string
  isInactive: boolean
  deactivate: () => Promise<unknown>
  reactivate: () => Promise<unknown>
  remove: () => Promise<unknown>
  /** The sentence of the question that says what a deactivation does. */
  consequence: string
  /** True if a re-activation restores everything, so that the toast can offer Undo. */
  isUndoable: boolean
  /** The sentence that says what else a deletion removes. */
  deletedWith?: string
  /** Shows a refused re-activation in its own way; returns `true` if it did. */
  refused?: (error: ApiError) => boolean | Promise<boolean>
  /** Reads the record or its list again, also when an answer was lost. */
  onChanged: () => void
}

/** Returns the menu item to deactivate or re-activate a record. The toast offers Undo, unless something would stay lost. */
export function statusItem(record: LoginRecord): MenuItem {
  const { noun, name, isInactive, consequence, isUndoable, refused, onChanged } = record
  const off = { run: record.deactivate, done: `${name} deactivated` }
  const on = { run: record.reactivate, done: `${name} re-activated`, ...(refused && { refused }) }
  const question = {
    title: `Deactivate ${name}?`,
    consequence,
    act: `Deactivate ${noun}`,
    dismiss: 'Cancel',
    destructive: true,
  }
  const then = (act: typeof on) => () => runAction(act).then(onChanged)
  return isInactive
    ? { label: 'Re-activate', onSelect: () => void runAction({ ...on, undo: then(off) }).then(onChanged) }
    : {
        label: 'Deactivate',
        onSelect: () => void runAction({ ...off, question, ...(isUndoable && { undo: then(on) }) }).then(onChanged),
      }
}

/** Returns the menu item to delete a record. `blocker`: the reason why the server would refuse, if it is known here. */
export function deleteItem(
  { noun, name, remove, deletedWith, onChanged }: LoginRecord,
  blocker: string | undefined,
  onDeleted: (deleted: boolean) => void = onChanged,
): MenuItem {
  const question = {
    title: `Delete ${name}?`,
    consequence: [deletedWith, 'This cannot be undone.'].filter(Boolean).join(' '),
    act: `Delete ${noun}`,
    dismiss: 'Cancel',
    destructive: true,
  }
  return {
    label: 'Delete',
    ...(blocker ? { disabled: true, hint: blocker } : {}),
    onSelect: () =>
      void runAction({
        question,
        run: remove,
        done: `${name} deleted`,
        refused: unableToDelete,
      }).then((deleted) => onDeleted(deleted !== undefined)),
  }
}

interface ActionToRun<T> {
  /** The question before the action; missing if the action loses and mails nothing. */
  question?: Confirmation
  run: () => Promise<T>
  /** The message after the action, in the past tense with the name of the record: "Tampines Central deactivated". */
  done: string
  /** Restores everything with one press; missing if something stays lost. */
  undo?: () => Promise<unknown>
  /** Shows a refusal in its own way, for example a dialog for a limit; returns `true` if it did. */
  refused?: (error: ApiError) => boolean | Promise<boolean>
}

/**
 * Asks, runs the action once, and shows the result. Returns the server's answer, which may be empty. Returns undefined if nothing
 * was changed, or if the outcome is unknown.
 */
export async function runAction<T>(action: ActionToRun<T>): Promise<{ answer: T } | undefined> {
  const { question, run, done, undo, refused } = action
  if (question && !(await confirm(question))) return undefined
  try {
    const answer = await run()
    tellDone(done, undo)
    return { answer }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (!(await refused?.(error))) showToast({ tone: 'danger', text: failureText(error) })
    return undefined
  }
}

function tellDone(text: string, undo: ActionToRun<unknown>['undo']): void {
  if (!undo) return void showToast({ tone: 'success', text })
  const press = () => {
    closeToast(toast)
    void undo()
  }
  const toast = showToast({ tone: 'success', text, action: { label: 'Undo', run: press } })
}

/** Returns the text for a failure. After a lost answer the outcome is unknown, and the list that is read again shows it. */
export function failureText(error: ApiError): string {
  if (error.isConnectionFault) return `${error.statusMessage} It is not known whether the change was made.`
  if (error.retryAfterSeconds === undefined) return error.statusMessage
  return `${error.statusMessage} Try again in ${waitText(error.retryAfterSeconds)}.`
}

/**
 * Returns a warning about vouchers on hold at the tills that a deactivation ends. `onHold` is undefined in a list, which does not
 * know the number. The portal cannot know what a till did offline (rule 9.14).
 */
export function holdsWarning(onHold: number | undefined): string {
  if (onHold === 0) return ''
  const which =
    onHold === undefined
      ? 'Holds there end.'
      : onHold === 1
        ? 'One voucher is on hold there; the hold ends.'
        : `${onHold} vouchers are on hold there; the holds end.`
  return ` ${which} What a till has redeemed offline is then refused when it uploads.`
}

type Reason = InUse['reasons'][number]

const REASON_MESSAGES: Record<Reason, string> = {
  redemptions: 'Vouchers were redeemed there.',
  'POS users': 'It has POS users.',
  branches: 'It manages branches.',
  logins: 'Somebody has logged in with it.',
}

/** Shows 'Unable to Delete' (rule 7.7), with the records that still refer to this one. Returns `false` for any other refusal. */
async function unableToDelete(error: ApiError): Promise<boolean> {
  if (error.code !== 'IN_USE') return false
  const { reasons } = v.parse(InUse, error.data)
  await confirm({
    title: 'Unable to Delete',
    consequence: 'Something still refers to it. It can be deactivated instead.',
    items: reasons.map((reason) => ({ id: reason, text: REASON_MESSAGES[reason] })),
    dismiss: 'Close',
    destructive: false,
  })
  return true
}
