import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import type { ApplicantRole } from '../../contract/merchants/application.ts'
import { buttonClass } from '../../ui/buttonClass.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ROLE_TEXTS } from '../merchants/application/roleTexts.ts'

/** The application was taken on. The same words whether or not the e-mail is known (cases SGN-01). */
export function CheckEmail({ role }: { role: ApplicantRole }) {
  usePageTitle('Check your email')
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <div className="blank">
      <Icon name="ok" />
      <h1 ref={title} tabIndex={-1}>
        Check your email
      </h1>
      <p>{ROLE_TEXTS[role].sent}</p>
      <p>Nothing after a few minutes? Look in the spam folder.</p>
      <div className="actions">
        <Link to="/login" className={buttonClass()}>
          Go to login
        </Link>
      </div>
    </div>
  )
}
