import { useState } from 'react'
import * as v from 'valibot'
import { toFormFailure } from '../../blocks/record/toFormFailure.ts'
import { RecoveryCodes } from '../../blocks/accounts/mfa/RecoveryCodes.tsx'
import type { SignInStep, verifyAndEnableMfa } from '../../contract/accounts/auth.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { openSession } from '../accounts/sign-in/signIn.ts'
import { StepTitle } from '../accounts/sign-in/StepTitle.tsx'

export type EnabledMfa = AnswerOf<typeof verifyAndEnableMfa> & { answered_at: number }

interface SaveCodesStepProps {
  enrolled: EnabledMfa
  loginName: string
  onStep: (step: SignInStep) => void
  onFailure: (error: unknown) => void
}

/**
 * Between a set-up that is in force and the portal: the session waits in memory until the codes are saved, for once it is
 * stored, every tab goes its way.
 */
export function SaveCodesStep({ enrolled, loginName, onStep, onFailure }: SaveCodesStepProps) {
  const [saved, setSaved] = useState(false)
  const form = useForm({
    schema: v.object({}),
    initial: {},
    submit: () =>
      openEnabledSession(enrolled).then(onStep, (error: unknown) => {
        onFailure(error)
        return toFormFailure(error)
      }),
  })
  return (
    <>
      <StepTitle>Save your recovery codes</StepTitle>
      <Form form={form}>
        <RecoveryCodes codes={enrolled.recovery_codes} {...{ loginName, saved }} onSaved={setSaved} />
        <Button
          type="submit"
          variant="primary"
          className="justify-self-start"
          busy={form.submitting}
          aria-disabled={saved ? undefined : true}
        >
          Continue
        </Button>
      </Form>
    </>
  )
}

async function openEnabledSession({ access_token = '', public_key = '', answered_at }: EnabledMfa) {
  await openSession({ access_token, public_key, answered_at })
  return { access_token, public_key }
}
