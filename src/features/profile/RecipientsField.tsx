import { type MouseEvent, type KeyboardEvent, useEffect, useEffectEvent, useReducer, useRef } from 'react'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { useAfterPress } from '../../ui/form/useAfterPress.ts'
import type { FormApi } from '../../ui/form/useForm.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { ORGANISATION_LABELS, type OrganisationValues } from './organisationSchema.ts'
import { acceptTypedRecipients, joinAddresses, splitAddresses } from './recipients.ts'

/** A comma, Enter or leaving the field turns typed addresses into chips. Invalid ones stay in the field. */
export function RecipientsField({ form }: { form: FormApi<OrganisationValues> }) {
  const label = ORGANISATION_LABELS.recipients
  const typed = form.field('typed_recipients')
  const accepted = form.field('recipients')
  const addresses = splitAddresses(accepted.value)
  const input = useRef<HTMLInputElement>(null)
  const accept = useAcceptAfterPress(form)

  const change = (line: string) => {
    const next = acceptTypedRecipients({ recipients: accepted.value, typed_recipients: line })
    const isWhole = line.trimEnd().endsWith(',') && next.typed_recipients === ''
    if (isWhole) form.setValues(next)
    else typed.onChange(line)
  }
  const leave = () => {
    typed.onBlur()
    accept()
  }
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || typed.value.trim() === '') return
    event.preventDefault()
    leave()
  }
  return (
    <div>
      <TextField
        {...typed}
        ref={input}
        label={label}
        hint="Separate addresses with commas only."
        inputMode="email"
        autoComplete="off"
        error={typed.error ?? accepted.error}
        onChange={change}
        onBlur={leave}
        onKeyDown={onEnter}
      />
      <ChipList
        label={label}
        chips={addresses}
        onRemove={(removed) => accepted.onChange(joinAddresses(addresses.filter((one) => one !== removed)))}
        onLast={() => input.current?.focus()}
      />
      <span className="sr-only" role="status">
        {addresses.length === 1 ? '1 recipient' : `${addresses.length} recipients`}
      </span>
    </div>
  )
}

/** Accepts what is in the field, once the pointer is up: new chips must not move the button that is being pressed. */
function useAcceptAfterPress(form: FormApi<OrganisationValues>): () => void {
  const afterPress = useAfterPress()
  const [left, noteLeft] = useReducer((times: number) => times + 1, 0)
  const accept = useEffectEvent(() => {
    if (form.values.typed_recipients.trim() !== '') form.setValues(acceptTypedRecipients(form.values))
  })
  useEffect(() => accept(), [left])
  return () => afterPress(noteLeft)
}

interface ChipListProps {
  label: string
  chips: readonly string[]
  onRemove: (chip: string) => void
  /** The last one is going, and the focus needs another place. */
  onLast: () => void
}

/** What a field has taken, each to be taken out again; the focus goes on to the next. */
function ChipList({ label, chips, onRemove, onLast }: ChipListProps) {
  if (chips.length === 0) return null
  const remove = (chip: string) => (event: MouseEvent<HTMLButtonElement>) => {
    const item = event.currentTarget.closest('li')
    const neighbour = (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector('button')
    if (neighbour) neighbour.focus()
    else onLast()
    onRemove(chip)
  }
  return (
    <ul className="mt-2 flex flex-wrap gap-2" aria-label={label}>
      {chips.map((chip) => (
        <li
          key={chip}
          className="inline-flex max-w-full items-center rounded-pill border border-border bg-surface-sunken pl-3"
        >
          <span className="min-w-0 wrap-anywhere">{chip}</span>
          <Button variant="icon" shape="round" aria-label={`Remove ${chip}`} onClick={remove(chip)}>
            <Icon drawing={ICONS.x} small />
          </Button>
        </li>
      ))}
    </ul>
  )
}
