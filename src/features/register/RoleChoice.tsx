import { Link } from '@tanstack/react-router'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { APPLICANT_ROLES } from '../../contract/merchants/application.ts'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import { buttonClass } from '../../ui/buttonClass.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ROLE_TEXTS } from '../merchants/application/roleTexts.ts'
import { useStoredApplication } from './useKeptApplication.ts'

/** /register without a type. */
export function RoleChoice() {
  usePageTitle('Create new account')
  return (
    <>
      <PageHeader title="Create new account" note="Which kind of merchant do you apply as?" />
      <ContinueApplication />
      <ul className="role-choice">
        {APPLICANT_ROLES.map((type) => (
          <li key={type}>
            <Link to="/register" search={{ type }}>
              <span>
                <b className="strong">{ROLE_TEXTS[type].name}</b>
                <span>{ROLE_TEXTS[type].line}</span>
              </span>
              <Icon name="right" />
            </Link>
          </li>
        ))}
      </ul>
      <p className="muted mt-6">
        Already have an account? <Link to="/login">Login</Link>
      </p>
    </>
  )
}

/** Somebody was here before and has not finished. */
function ContinueApplication() {
  const kept = useStoredApplication()
  if (!kept) return null
  const { role, savedAt, readAt } = kept
  return (
    <Notice
      role="status"
      icon="ok"
      action={
        <Link to="/register" search={{ type: role }} className={buttonClass()}>
          Continue
        </Link>
      }
    >
      <p>
        There is a draft of {formatAsOf(savedAt, readAt)} on this device, as {ROLE_TEXTS[role].name}.
      </p>
    </Notice>
  )
}
