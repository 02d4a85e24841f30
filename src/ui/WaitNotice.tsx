import { useState } from 'react'
import { Notice } from './Notice.tsx'
import { waitText } from './waitText.ts'

/** The seconds tick for the eye alone: a screen reader hears once how long it is, and again when it is over. */
export function WaitNotice({ reason, seconds }: { reason: string; seconds: number }) {
  const [atFirst] = useState(seconds)
  if (seconds === 0) {
    return (
      <Notice icon="clock" role="status">
        <p>You can try again now.</p>
      </Notice>
    )
  }
  return (
    <Notice tone="warn" icon="clock" role="alert">
      <p>
        {reason} <span className="hide">Try again in {waitText(atFirst)}.</span>
        <span aria-hidden="true">Try again in {waitText(seconds)}.</span>
      </p>
    </Notice>
  )
}
