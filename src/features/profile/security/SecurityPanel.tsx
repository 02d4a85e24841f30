import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { SignInsTable } from '../SignInsTable.tsx'

export function SecurityPanel() {
  const [changing, setChanging] = useState(false)
  return (
    <>
      <section className="panel mt-6" aria-labelledby="security">
        <header>
          <h2 id="security">Security</h2>
        </header>
        <div className="pad spread">
          <div>
            <h3>Password</h3>
            <p className="muted">Changing it logs out your other devices.</p>
          </div>
          <Button icon="lock" onClick={() => setChanging(true)}>
            Change password
          </Button>
        </div>
        <SecondFactor />
        <ChangePasswordDialog open={changing} onClose={() => setChanging(false)} />
      </section>
      <section className="mt-6" aria-labelledby="last-logins">
        <h2 id="last-logins">Last logins</h2>
        <p className="muted mb-3">If one of these was not you, change your password.</p>
        <SignInsTable />
      </section>
    </>
  )
}
