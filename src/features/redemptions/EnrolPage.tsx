import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import type { EnrolledTill } from '../../contract/devices/enrolment.ts'
import { auth } from '../../state/auth.ts'
import { tillDevice } from '../../state/counter.ts'
import { enrolmentLink } from '../../state/mailedLink.ts'
import { Button } from '../../ui/Button.tsx'
import type { Elements } from '../../ui/Elements.ts'
import { CounterFrame, CounterQuestion, QuestionTitle } from './CounterHeader.tsx'
import { becomeTill, enrol } from './tillEnrolment.ts'
import { TillReady } from './TillReady.tsx'

/** Opened by the QR code of a manager: makes this device a till, with or without a login. */
export function EnrolPage() {
  usePageTitle('Set up a till')
  const { token, opened } = useSnapshot(enrolmentLink)
  if (token === null) return <Problem title="Scan the QR code again" say="This address has no code of a till." />
  return <Enrolment key={opened} code={token} />
}

function Enrolment({ code }: { code: string }) {
  const { guid, enrolled } = useSnapshot(tillDevice)
  // The new cookie replaces that of the till which this device is now, so a link alone must not do it.
  const [isAsked, setAsked] = useState(enrolled.length > 0)
  const offline = useOffline()
  const [till, setTill] = useState<EnrolledTill>()
  const [problem, setProblem] = useState<string>()
  const [attempt, setAttempt] = useState(1)
  const { user } = useSnapshot(auth)
  const cashier = user?.type === 'POS User' ? user : undefined
  const navigate = useNavigate()
  const leave = () => void navigate({ to: user && !cashier ? '/' : '/redeem' })
  const isDone = till !== undefined
  useEffect(() => {
    if (offline || isDone || isAsked) return undefined
    let isOver = false
    void becomeTill(() => enrol(guid, code), setTill).then((failure) => {
      if (!isOver) setProblem(failure?.message)
    })
    return () => void (isOver = true)
  }, [guid, code, offline, isDone, isAsked, attempt])
  if (till)
    return <TillReady {...(cashier ? { user: cashier } : {})} till={till} branch={till.branch_name} onDone={leave} />
  if (isAsked)
    return (
      <Problem title="This device is a till already" say="Go on only if your manager wants it to become another one.">
        <Button big onClick={() => setAsked(false)}>
          Make it another till
        </Button>
      </Problem>
    )
  if (offline)
    return <Problem title="This device is offline" say="Connect it to the internet. Then it continues automatically." />
  if (problem === undefined) return <Problem title="Setting up this till" say="One moment." />
  const tryAgain = () => {
    setProblem(undefined)
    setAttempt(attempt + 1)
  }
  return (
    <Problem
      title="This device is not a till yet"
      say={`${problem} A code works once: your manager can make a new one on the page Tills.`}
    >
      <Button big onClick={tryAgain}>
        Try again
      </Button>
    </Problem>
  )
}

const Problem = ({ title, say, children }: { title: string; say: string; children?: Elements }) => (
  <CounterFrame>
    <CounterQuestion>
      <div className="grid w-[min(36rem,100%)] gap-6">
        <div role="status">
          <QuestionTitle title={title} say={say} />
        </div>
        {children}
      </div>
    </CounterQuestion>
  </CounterFrame>
)
