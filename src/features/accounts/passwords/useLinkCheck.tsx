import { useEffect, useState } from 'react'
import { call } from '../../../api/call.ts'
import { checkLink, type LoginLinkKind } from '../../../contract/accounts/auth.ts'
import type { Elements } from '../../../ui/Elements.ts'
import { BackToLogin, StepTitle } from '../sign-in/StepFrame.tsx'
import { isLinkInvalid } from './setNewPassword.ts'

/**
 * Asks whether the link works, before anybody thinks of a password. Whatever else comes of it, a lost connection or an older server,
 * leaves it `open`: following the link says so too.
 */
export function useLinkCheck(kind: LoginLinkKind, token: string | null): 'asking' | 'open' | 'dead' {
  const [found, setFound] = useState<{ token: string; is: 'open' | 'dead' }>()
  useEffect(() => {
    if (token === null) return
    const asking = new AbortController()
    const tell = (is: 'open' | 'dead') => !asking.signal.aborted && setFound({ token, is })
    call(checkLink, { body: { kind, token }, signal: asking.signal }).then(
      () => tell('open'),
      (error: unknown) => tell(isLinkInvalid(error) ? 'dead' : 'open'),
    )
    return () => asking.abort()
  }, [kind, token])
  return token !== null && found?.token === token ? found.is : 'asking'
}

interface UnusableLinkProps {
  title: string
  reason: string
  /** How to get another link. */
  children: Elements
}

/** A mailed link that cannot be used. */
export function UnusableLink({ title, reason, children }: UnusableLinkProps) {
  return (
    <>
      <StepTitle>{title}</StepTitle>
      <p>{reason}</p>
      {children}
      <BackToLogin />
    </>
  )
}
