import { passwordRules } from '../domain/passwordRules.ts'
import { Icon } from '../ui/Icon.tsx'

interface PasswordChecklistProps {
  password: string
  /** Empty where nobody knows whose password it is: the rule about the name is then left to the server. */
  loginName: string
}

/** The rules of a new password, ticked while typing. An open one is no error yet: that is for the submit to say. */
export function PasswordChecklist({ password, loginName }: PasswordChecklistProps) {
  const rules = passwordRules(password, loginName).filter(({ rule }) => rule !== 'not_login_name' || loginName !== '')
  return (
    <>
      <ul className="rules" aria-label="Password rules">
        {rules.map(({ rule, label, met }) => (
          <li key={rule} className={met && password !== '' ? 'met' : undefined}>
            <Icon name={met && password !== '' ? 'ok' : 'todo'} small />
            <span>
              {label}
              <span className="hide">{met && password !== '' ? ', met' : ', not met yet'}</span>
            </span>
          </li>
        ))}
      </ul>
      <p className="muted rules-rest">Not one of your last 3 passwords, and not a common one.</p>
    </>
  )
}
