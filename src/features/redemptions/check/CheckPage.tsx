import { Link } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'
import {
  outcomeText,
  SHIFT_CHECK_LABELS,
  shiftCheckVerdict,
  shiftProblemText,
} from '../../../blocks/devices/shiftCheckTexts.ts'
import { BackLink } from '../../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import { useTestReceipt } from '../../../blocks/printers/useTestReceipt.ts'
import {
  AUTOMATIC_CHECKS,
  failedChecks,
  PERSON_CHECKS,
  SHIFT_CHECKS,
  type CheckOutcome,
  type PersonCheck,
  type ShiftCheckName,
  type ShiftOutcomes,
} from '../../../domain/devices/shiftCheck.ts'
import { Actions, Button, buttonClass } from '../../../ui/Button.tsx'
import type { Elements } from '../../../ui/Elements.ts'
import { Icon, type Drawing } from '../../../ui/Icon.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Box, Facts, Panel, Split, Stack } from '../../../ui/Panel.tsx'
import { PERSON_STEPS } from './personSteps.tsx'
import { TestPage } from './TestCode.tsx'
import { useShiftCheck } from './useShiftCheck.ts'

/** Sizes and contrast of the counter, on a page that is not the counter. */
const COUNTER_LOOK = 'text-base [--control:3rem] [--fill:var(--fill-counter)] [--text-muted:var(--text-muted-counter)]'

/** Before opening: whether this till has all it needs. Works without a connection, and says that there is none. */
export function CheckPage() {
  usePageTitle('Check this till')
  const run = useShiftCheck()
  const testReceipt = useTestReceipt()
  return (
    <>
      <div className={`print:hidden ${COUNTER_LOOK}`}>
        <PageHeader
          back={<BackLink to="/settings/device">This device</BackLink>}
          title="Check this till"
          note="Before opening. It takes a minute."
        />
        <Split columns="even">
          <CurrentStage {...run} />
          <Panel title="Checks">
            <Facts
              facts={SHIFT_CHECKS.map((name) => [
                SHIFT_CHECK_LABELS[name],
                <Outcome key={name} name={name} {...run} />,
              ])}
            />
          </Panel>
        </Split>
      </div>
      <TestPage {...testReceipt} />
    </>
  )
}

type Run = ReturnType<typeof useShiftCheck>

function CurrentStage({ stage, outcomes, start, answer }: Run) {
  switch (stage.at) {
    case 'start':
      return (
        <Panel title="What happens">
          <div className="grid justify-items-start gap-4 p-4">
            <p>The device checks itself first. Then it asks about camera, sound, printer and scanner.</p>
            <Button variant="primary" big onClick={start}>
              Start the check
            </Button>
          </div>
        </Panel>
      )
    case 'automatic':
      return (
        <QuestionBox question="Checking this device…">
          <p role="status">{`${Object.keys(outcomes).length} of ${AUTOMATIC_CHECKS.length} checked`}</p>
        </QuestionBox>
      )
    case 'person':
      return <Question key={stage.check} check={stage.check} onOutcome={answer} />
    case 'done':
      return <Result outcomes={outcomes as ShiftOutcomes} onAgain={start} />
  }
}

/** The check that a person is asked for now. */
function Question({ check, onOutcome }: { check: PersonCheck; onOutcome: Run['answer'] }) {
  const { question, note, Answers } = PERSON_STEPS[check]
  const step = `${SHIFT_CHECK_LABELS[check]}, ${PERSON_CHECKS.indexOf(check) + 1} of ${PERSON_CHECKS.length}`
  return (
    <QuestionBox {...{ step, question, note }}>
      <Answers onOutcome={onOutcome} />
    </QuestionBox>
  )
}

function Result({ outcomes, onAgain }: { outcomes: ShiftOutcomes; onAgain: () => void }) {
  const failures = failedChecks(outcomes)
  const isGood = failures.length === 0
  const [icon, look] = MARKS[isGood ? 'passed' : 'failed']
  return (
    <QuestionBox
      question={
        <>
          <Icon drawing={icon} size="large" className={look} />
          <span>{shiftCheckVerdict(failures)}</span>
        </>
      }
      note="The result stands under “This device”."
    >
      {failures.map(({ name, why }) => (
        <div key={name}>
          <b className="font-strong">{SHIFT_CHECK_LABELS[name]}</b>
          <p>{shiftProblemText(why)}</p>
        </div>
      ))}
      <Actions>
        <Link to="/redeem" className={buttonClass({ variant: isGood ? 'primary' : 'plain' })}>
          Go to the counter
        </Link>
        <Button variant={isGood ? 'plain' : 'primary'} onClick={onAgain}>
          Check again
        </Button>
      </Actions>
    </QuestionBox>
  )
}

const MARKS: Record<CheckOutcome['is'], readonly [Drawing, string]> = {
  passed: [ICONS.ok, 'text-success-text'],
  failed: [ICONS.alert, 'text-warn-text'],
  skipped: [ICONS.todo, 'text-muted'],
}

/** What is known of one check; a circle while there is nothing. */
function Outcome({ name, stage, outcomes }: Run & { name: ShiftCheckName }) {
  const outcome = outcomes[name]
  const [icon, look] = MARKS[outcome?.is ?? 'skipped']
  const isNow = stage.at === 'person' ? stage.check === name : stage.at === 'automatic' && isAutomatic(name)
  return (
    <span className="flex items-center gap-2">
      <Icon drawing={icon} className={look} />
      <span className={outcome ? undefined : 'text-muted'}>
        {outcome ? outcomeText(name, outcome) : isNow ? 'Now…' : 'Not checked yet'}
      </span>
    </span>
  )
}

const isAutomatic = (name: ShiftCheckName) => AUTOMATIC_CHECKS.some((one) => one === name)

interface QuestionBoxProps {
  /** Which of how many. */
  step?: string
  question: ReactNode
  note?: string
  children?: Elements
}

/** The question takes the focus, so that it is read out and Tab leads to its answers. */
function QuestionBox({ step, question, note, children }: QuestionBoxProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <Box>
      <Stack padded>
        <div>
          {step && <p className="text-muted">{step}</p>}
          <h2 ref={heading} tabIndex={-1} className="flex items-center gap-2 text-2xl">
            {question}
          </h2>
          {note && <p className="mt-1 text-muted">{note}</p>}
        </div>
        {children}
      </Stack>
    </Box>
  )
}
