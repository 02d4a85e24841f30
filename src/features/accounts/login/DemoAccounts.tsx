import { useEffect, useState } from 'react'
import { call } from '../../../api/call.ts'
import type { LoginStep } from '../../../contract/accounts/auth.ts'
import { demo, type DemoAccount, type DemoLogins } from '../../../contract/system.ts'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { attemptLogin } from './attemptLogin.ts'
import type { Credentials, LoginName } from './logIn.ts'

interface Props {
  onStep: (step: LoginStep, who: LoginName) => void
}

/** Explains the demo and logs in with one press. Shows nothing on a server without the demo. */
export function DemoAccounts({ onStep }: Props) {
  const [logins, setLogins] = useState<DemoLogins | null>(null)
  const [busy, setBusy] = useState<string>()
  const [failure, setFailure] = useState<string>()
  // Without an answer, the login looks as on a server without the demo.
  useEffect(() => void call(demo, {}).then(setLogins, () => undefined), [])
  if (!logins) return null
  const logInAs = async (account: DemoAccount) => {
    const { kind, login_name: loginName } = account
    setBusy(loginName)
    setFailure(undefined)
    const failed = await attemptLogin(credentialsOf(account, logins.password), (step) =>
      onStep(step, { kind, loginName }),
    )
    setBusy(undefined)
    setFailure(failed?.message)
  }
  return (
    <section className="grid w-[min(26rem,100%)] gap-3" aria-labelledby="demo-accounts">
      <h2 id="demo-accounts">Try the demo</h2>
      <p className="text-muted">
        Merchants of a health rewards programme accept its vouchers here. All data is invented. Log in as:
      </p>
      {failure !== undefined && (
        <Notice tone="warn" role="alert">
          <p>{failure}</p>
        </Notice>
      )}
      {logins.accounts.map((account) => (
        <Button key={account.login_name} wide busy={busy === account.login_name} onClick={() => void logInAs(account)}>
          {account.description}
        </Button>
      ))}
    </section>
  )
}

const credentialsOf = ({ kind, login_name }: DemoAccount, password: string): Credentials =>
  kind === 'merchant' ? { kind, email: login_name, password } : { kind, username: login_name, password }
