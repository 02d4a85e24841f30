import * as v from 'valibot'
import { ApiError } from '../../api/ApiError.ts'
import { InUse } from '../../contract/tables/resourceEndpoints.ts'
import { confirm, type Confirmation } from '../../state/dialogs.ts'
import { closeToast, showToast } from '../../state/toasts.ts'
import { waitText } from '../../ui/form/formErrors.ts'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'

/** A record with a login of its own: a branch, a master or a POS user. */
interface LoginRecord {
  noun: 'branch' | 'master' | 'POS user'
  name: string
  isInactive: boolean
  deactivate: () => Promise<unknown>
  reactivate: () => Promise<unknown>
  remove: () => Promise<unknown>
  /** The sentence of the question that says what a deactivation does. */
  consequence: string
  /** A re-activation puts everything back as it was. */
  comesBack: boolean
  /** The sentence that says what else a deletion removes. */
  deletedWith?: string
  /** Says a refused re-activation in its own way; `true` if it did. */
  refused?: (error: ApiError) => boolean | Promise<boolean>
  /** Reads the record or its list again, after a lost answer too. */
  onChanged: () => void
}

/** Deactivate, or re-activate: either can be taken back with a press where nothing stays lost. */
export function statusItem(record: LoginRecord): MenuItem {
  const { noun, name, isInactive, consequence, comesBack, refused, onChanged } = record
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
        onSelect: () => void runAction({ ...off, question, ...(comesBack && { undo: then(on) }) }).then(onChanged),
      }
}

/** `blocker`: why the server would refuse, where that is known here. */
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
  /** Asked before anything is lost or mailed; left out where the act loses nothing. */
  question?: Confirmation
  run: () => Promise<T>
  /** In the past tense, with whom it fell on: "Tampines Central deactivated". */
  done: string
  /** Puts everything back as it was, with a press; left out where something stays lost. */
  undo?: () => Promise<unknown>
  /** Says a refusal in its own way, a dialog for a limit; `true` if it did. */
  refused?: (error: ApiError) => boolean | Promise<boolean>
}

/**
 * Asks, acts once, and says how it went. Gives what the server answered, which may be nothing; without `answer` nothing was
 * changed, or nobody knows it.
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

/** A lost answer is no refusal: the list that is read again says what became of it. */
export function failureText(error: ApiError): string {
  if (error.isConnectionFault) return `${error.statusMessage} It is not known whether the change was made.`
  if (error.retryAfterSeconds === undefined) return error.statusMessage
  return `${error.statusMessage} Try again in ${waitText(error.retryAfterSeconds)}.`
}

/**
 * What a deactivation means for vouchers on hold at the tills it ends. A list does not know how many there are: then it says what
 * would happen; nobody here can know what a till did offline (rule 9.14).
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

/** 'Unable to Delete' (rule 7.7), with what still refers to the record. `false` for any other refusal. */
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
