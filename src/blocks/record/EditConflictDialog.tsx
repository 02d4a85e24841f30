import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import type { Values } from '../../ui/form/formState.ts'
import { RadioField } from '../../ui/form/RadioField.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import type { EditConflict } from './useRecordForm.ts'

interface Props<V extends Values> {
  stale: EditConflict<V>
  mine: V
  /** The fields a person knows, by name, in the order of the form; any other goes with the newer record. */
  labels: Partial<Record<keyof V & string, string>>
  /** A value in words. */
  words?: (name: keyof V & string, value: unknown) => string
  onSettle: (merged: V) => void
  onBack: () => void
}

/** Two people edited the same record: both versions of each field that differs, and a choice for each. */
export function EditConflictDialog<V extends Values>(props: Props<V>) {
  const { stale, mine, labels, words = plainText, onSettle, onBack } = props
  const names = (Object.keys(labels) as (keyof V & string)[]).filter((name) => !same(mine[name], stale.theirs[name]))
  // What I did not touch is not mine to keep.
  const touched = names.filter((name) => !same(mine[name], stale.base[name]))
  const [kept, setKept] = useState<ReadonlySet<string>>(() => new Set(touched))
  const merge = () => {
    const ours = Object.fromEntries(names.filter((name) => kept.has(name)).map((name) => [name, mine[name]]))
    onSettle({ ...stale.theirs, ...ours })
  }
  const actions = (
    <>
      <Button onClick={onBack}>Back to the form</Button>
      <Button variant="primary" onClick={merge}>
        Save this choice
      </Button>
    </>
  )
  return (
    <Dialog open holdsForm title="Somebody else saved this meanwhile" onClose={onBack} actions={actions}>
      <div className="grid gap-5">
        <p>
          {names.length === 0
            ? 'What they saved is what you typed.'
            : 'Nothing of yours is saved yet. Choose what stays, field by field.'}
        </p>
        {names.map((name) => (
          <RadioField
            key={name}
            label={labels[name] ?? name}
            value={kept.has(name) ? 'mine' : 'theirs'}
            onChange={(choice) => setKept((before) => withChoice(before, name, choice === 'mine'))}
            options={[
              { value: 'mine', label: 'Yours', note: words(name, mine[name]) },
              { value: 'theirs', label: 'Theirs', note: words(name, stale.theirs[name]) },
            ]}
          />
        ))}
      </div>
    </Dialog>
  )
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

function withChoice(before: ReadonlySet<string>, name: string, mine: boolean): ReadonlySet<string> {
  const next = new Set(before)
  if (mine) next.add(name)
  else next.delete(name)
  return next
}

const plainText = (_: string, value: unknown) => (typeof value === 'string' && value !== '' ? value : 'Empty')
