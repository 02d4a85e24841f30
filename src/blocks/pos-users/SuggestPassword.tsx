import { useState } from 'react'
import { temporaryPassword } from '../../domain/accounts/passwords.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyField } from '../../ui/form/CopyField.tsx'
import type { FormApi } from '../../ui/form/useForm.ts'

interface Props {
  form: Pick<FormApi<{ new_password: string; repeat_password: string }>, 'values' | 'setValues'>
}

/** Fills in a password that meets every rule. It is in plain sight until another one is typed or the dialog closes, and nowhere after. */
export function SuggestPassword({ form }: Props) {
  const [suggested, setSuggested] = useState('')
  const suggest = () => {
    const password = temporaryPassword(randomBelow)
    setSuggested(password)
    form.setValues({ new_password: password, repeat_password: password })
  }
  return (
    <>
      <div className="flex items-center gap-2">
        <Button onClick={suggest}>{suggested ? 'Suggest another password' : 'Suggest a password'}</Button>
      </div>
      {suggested !== '' && form.values.new_password === suggested && (
        <CopyField
          label="Suggested password"
          hint="Give it to the cashier now. It is not shown again."
          shown={suggested}
          text={suggested}
        />
      )}
    </>
  )
}

const BELOW_WORD = 2 ** 32

/** Without the numbers that would make some remainders likelier than others. */
function randomBelow(limit: number): number {
  for (;;) {
    const [word = 0] = crypto.getRandomValues(new Uint32Array(1))
    if (word < BELOW_WORD - (BELOW_WORD % limit)) return word % limit
  }
}
