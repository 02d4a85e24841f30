import type { ReactNode } from 'react'
import { BackToLogin } from '../sign-in/BackToLogin.tsx'
import { StepTitle } from '../sign-in/StepTitle.tsx'

interface Props {
  title: string
  reason: string
  /** How to get another link. */
  children: ReactNode
}

/** A mailed link that cannot be used. */
export function UnusableLink({ title, reason, children }: Props) {
  return (
    <>
      <StepTitle>{title}</StepTitle>
      <p>{reason}</p>
      {children}
      <BackToLogin />
    </>
  )
}
