import { useSnapshot } from 'valtio/react'
import { setSuccessRegisterMessage, shell } from '../../../state/shell.ts'
import { Button } from '../../../ui/Button.tsx'
import { FIRST_ICONS } from '../../../ui/Icon.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { MULTI_LOGIN_MESSAGE } from './submitSignIn.ts'

export interface LoginNoticeProps {
  /** The server ended this session because the account logged in elsewhere (rule 4.5). */
  multiLogin: boolean
  /** A new password was just set by a mailed link. */
  passwordChanged: boolean
  /** Why a login that was half done has to start again. */
  expired: string
}

/** As the card below it. */
const AS_WIDE = 'w-[min(26rem,100%)]'

/** Why the login is shown, or what was done before it. One notice at a time. */
export function LoginNotice({ multiLogin, passwordChanged, expired }: LoginNoticeProps) {
  const { multiLoginMessage } = useSnapshot(shell)
  if (expired) {
    return (
      <Notice className={AS_WIDE} tone="warn" role="alert">
        <p>{expired}</p>
      </Notice>
    )
  }
  if (passwordChanged) {
    return (
      <Notice className={AS_WIDE} tone="success" icon={FIRST_ICONS.ok} role="status">
        <p>Password changed. Log in with the new one.</p>
      </Notice>
    )
  }
  if (!multiLogin) return <ApplicationSentNotice />
  return (
    <Notice className={AS_WIDE} tone="warn" title="Multiple Login Detected">
      <p>{multiLoginMessage || MULTI_LOGIN_MESSAGE}</p>
    </Notice>
  )
}

/** An application was sent from this browser (successRegisterMessage, rule 16.8). */
function ApplicationSentNotice() {
  const { successRegisterMessage } = useSnapshot(shell)
  if (!successRegisterMessage) return null
  const close = (
    <Button variant="icon" icon={FIRST_ICONS.x} aria-label="Close" onClick={() => setSuccessRegisterMessage('')} />
  )
  return (
    <Notice className={AS_WIDE} tone="success" icon={FIRST_ICONS.ok} role="status" action={close}>
      <p>{successRegisterMessage}</p>
    </Notice>
  )
}
