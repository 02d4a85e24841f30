import { useState } from 'react'
import { ConnectivityState } from '../../../blocks/connectivity/ConnectivityState.tsx'
import { PlainFrame } from '../../../blocks/page/PlainFrame.tsx'
import type { ApplicantRole } from '../../../contract/merchants/application.ts'
import { ApplicationForm } from './ApplicationForm.tsx'
import { CheckEmail } from '../../register/CheckEmail.tsx'
import { RoleChoice } from '../../register/RoleChoice.tsx'

/** /register: who applies, the application, and what happens next. */
export function RegisterPage({ role }: { role: ApplicantRole | undefined }) {
  const [sent, setSent] = useState<ApplicantRole>()
  return (
    <PlainFrame
      end={<ConnectivityState />}
      offline="What you type is kept on this device. Sending it needs a connection."
    >
      <div className="main">
        <div className="page register">
          {sent ? (
            <CheckEmail role={sent} />
          ) : role ? (
            <ApplicationForm key={role} role={role} onSent={() => setSent(role)} />
          ) : (
            <RoleChoice />
          )}
        </div>
      </div>
    </PlainFrame>
  )
}
