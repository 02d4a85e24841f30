import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx'

export function SecurityPanel() {
  const [changing, setChanging] = useState(false)
  return (
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
      <ChangePasswordDialog open={changing} onClose={() => setChanging(false)} />
    </section>
  )
}
