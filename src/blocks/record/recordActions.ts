import type { ApiError } from '../../api/ApiError.ts'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { runAction, unableToDelete } from './runAction.ts'

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
    wayOut: 'Cancel',
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
    wayOut: 'Cancel',
    destructive: true,
  }
  return {
    label: 'Delete',
    ...(blocker ? { disabled: true, hint: blocker } : {}),
    onSelect: () =>
      void runAction({
        question,
        // The server may answer with nothing, which `runAction` would take for a failure.
        run: () => remove().then(() => true),
        done: `${name} deleted`,
        refused: unableToDelete,
      }).then((deleted) => onDeleted(deleted === true)),
  }
}
