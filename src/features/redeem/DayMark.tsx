import type { ReactNode } from 'react'
import type { DayState } from '../redemptions/day/useMyDay.ts'

const BODY_PATH = 'M1 1h13a2 2 0 0 0 2 2v10a2 2 0 0 0-2 2H1Z'
const STUB_PATH = 'M25 1h-3a2 2 0 0 1-2 2v10a2 2 0 0 1 2 2h3Z'
const WHOLE_PATH = 'M2 1h14a2 2 0 0 0 4 0h4v14h-4a2 2 0 0 0-4 0H2Z'

const STATE_MARKS: Record<DayState, { tone: string; mark: ReactNode }> = {
  Redeemed: {
    tone: 'gone',
    mark: (
      <>
        <path d={BODY_PATH} />
        <path className="solid" d={STUB_PATH} />
      </>
    ),
  },
  Uploading: {
    tone: 'held',
    mark: (
      <>
        <path d={BODY_PATH} />
        <path strokeDasharray="2.5 2" d={STUB_PATH} />
      </>
    ),
  },
  'Refused after upload': {
    tone: 'bad',
    mark: (
      <>
        <path d={WHOLE_PATH} />
        <path d="m5 13 10-10" />
      </>
    ),
  },
  Voided: { tone: 'gone', mark: <path d={BODY_PATH} /> },
}

/** As in every list a voucher's state is the ticket's shape beside the word. */
export function DayStateMark({ state, word }: { state: DayState; word: string }) {
  const { tone, mark } = STATE_MARKS[state]
  return (
    <span className={`vstate ${tone}`}>
      <svg className="mark" viewBox="0 0 26 16" aria-hidden="true">
        {mark}
      </svg>
      <b>{word}</b>
    </span>
  )
}
