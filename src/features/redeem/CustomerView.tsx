import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { useRootClass } from '../../ui/useRootClass.ts'
import { useEscape } from '../redemptions/useEscape.ts'
import type { Verdict } from '../redemptions/verdict/Verdict.ts'

/** The same word turned round, for the customer on the other side of a tablet that lies flat. */
export function CustomerView({ verdict }: { verdict: Verdict }) {
  const [turned, setTurned] = useState(false)
  return (
    <>
      <Button onClick={() => setTurned(true)}>Show customer</Button>
      {turned && <Turned verdict={verdict} onBack={() => setTurned(false)} />}
    </>
  )
}

function Turned({ verdict, onBack }: { verdict: Verdict; onBack: () => void }) {
  useEscape(onBack)
  useRootClass('has-dialog')
  return (
    <div className={`turned verdict ${verdict.tone}`} role="dialog" aria-modal="true" aria-label="For the customer">
      <div className="round">
        <p className="big-word">{verdict.word}</p>
        <p className="say">{verdict.tell.replaceAll(/[“”]/g, '')}</p>
      </div>
      <Button
        big
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it covers everything else, and Enter must lead back
        autoFocus
        onClick={onBack}
      >
        Back to the till
      </Button>
    </div>
  )
}
