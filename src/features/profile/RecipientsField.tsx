import { useEffect, useEffectEvent, useReducer, useRef, type KeyboardEvent } from 'react'
import { ChipList } from '../../ui/form/ChipList.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { useAfterPress } from '../../ui/form/useAfterPress.ts'
import type { FormApi } from '../../ui/form/useForm.ts'
import { ORGANISATION_LABELS, type OrganisationValues } from './organisationSchema.ts'
import { acceptTypedRecipients, joinAddresses, splitAddresses } from './recipients.ts'

/** Addresses are typed between commas and become chips with a comma, Enter, or on leaving; what is wrong stays in the field. */
export function RecipientsField({ form }: { form: FormApi<OrganisationValues> }) {
  const label = ORGANISATION_LABELS.recipients
  const typed = form.field('typed_recipients')
  const taken = form.field('recipients')
  const addresses = splitAddresses(taken.value)
  const input = useRef<HTMLInputElement>(null)
  const take = useAcceptAfterPress(form)

  const change = (line: string) => {
    const next = acceptTypedRecipients({ recipients: taken.value, typed_recipients: line })
    const isWhole = line.trimEnd().endsWith(',') && next.typed_recipients === ''
    if (isWhole) form.setValues(next)
    else typed.onChange(line)
  }
  const leave = () => {
    typed.onBlur()
    take()
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
        error={typed.error ?? taken.error}
        onChange={change}
        onBlur={leave}
        onKeyDown={onEnter}
      />
      <ChipList
        label={label}
        chips={addresses}
        onRemove={(gone) => taken.onChange(joinAddresses(addresses.filter((one) => one !== gone)))}
        onLast={() => input.current?.focus()}
      />
      <span className="hide" role="status">
        {addresses.length === 1 ? '1 recipient' : `${addresses.length} recipients`}
      </span>
    </div>
  )
}

/** Takes what stands in the field, once the pointer is up: chips that come must not move the button that is being pressed. */
function useAcceptAfterPress(form: FormApi<OrganisationValues>): () => void {
  const afterPress = useAfterPress()
  const [left, noteLeft] = useReducer((times: number) => times + 1, 0)
  const take = useEffectEvent(() => {
    if (form.values.typed_recipients.trim() !== '') form.setValues(acceptTypedRecipients(form.values))
  })
  useEffect(() => take(), [left])
  return () => afterPress(noteLeft)
}
